import { Button } from "../parts/button.tsx";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shows new recovery codes, this once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <div className="form">
      <p>
        <strong>Keep these recovery codes.</strong> Each signs you in once in place of the app, if you lose it. They are
        not shown again.
      </p>
      <ul className="codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="actions">
        <Button kind="primary" onPress={onDone}>
          I have kept them
        </Button>
      </div>
    </div>
  );
}
