import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components";

export interface ButtonProps {
  readonly children: ReactNode;
  readonly kind?: "primary" | "plain" | "danger" | "quiet";
  readonly type?: "button" | "submit";
  readonly onPress?: () => void;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
  readonly label?: string;
}

export function Button({
  children,
  kind = "plain",
  label,
  isPending = false,
  isDisabled = false,
  ...rest
}: ButtonProps) {
  const named = label === undefined ? {} : { "aria-label": label };
  return (
    <AriaButton className={`button ${kind}`} isPending={isPending} isDisabled={isDisabled} {...named} {...rest}>
      {children}
    </AriaButton>
  );
}
