import { encode } from "uqr";

/** Light modules around the code, which readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A text for a camera, drawn here: no other host learns it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path d={dark.join("")} fill="currentColor" />
    </svg>
  );
}
