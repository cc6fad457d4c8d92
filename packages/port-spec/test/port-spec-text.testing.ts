import fc from "fast-check";

/** Texts near the port spec grammar, about half of them right: parts put together, some then damaged in one place. */
export function portSpecText(): fc.Arbitrary<string> {
  const whole = fc.oneof({ weight: 9, arbitrary: shortForm }, { weight: 1, arbitrary: longForm });
  return fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: damaged(whole) });
}

const number = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 65_535 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("0", "1", "65535", "65536", "00080", "000", "+80", "0x50", "8e1", "80.5", "٨٠", " 80"),
  },
);

/** A range of at most 12 ports, so that a call with many stays small. */
const range = fc
  .tuple(fc.integer({ min: 0, max: 65_535 }), fc.integer({ min: -1, max: 11 }))
  .map(([start, more]) => `${start}-${start + more}`);

const ports = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 3, arbitrary: range },
  { weight: 1, arbitrary: fc.constantFrom("", "80-", "-80", "80-79", "1-2-3", "0-0", "0-2", "a-b", "80-80") },
);

const protocol = fc.oneof(
  { weight: 6, arbitrary: fc.constant("") },
  { weight: 4, arbitrary: fc.constantFrom("/tcp", "/udp", "/sctp", "/TCP", "/Udp", "/") },
  { weight: 1, arbitrary: fc.constantFrom("/icmp", "/ tcp", "/tcp/udp", "//", "/tcp ") },
);

const address = fc.oneof(
  { weight: 4, arbitrary: fc.ipV4() },
  { weight: 3, arbitrary: fc.ipV6() },
  { weight: 3, arbitrary: fc.ipV6().map((ip) => `[${ip}]`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "",
      "0.0.0.0",
      "::",
      "[::]",
      "[]",
      "::1",
      "[::1",
      "::1]",
      "[::1]x",
      "[[::1]]",
      "[127.0.0.1]",
      "::ffff:127.0.0.1",
      "fe80::1%eth0",
      "[fe80::1%eth0]",
      "1:2:3:4:5:6:7::",
      "1:2:3:4:5:6:7::8",
      "1::2::3",
      "12345::",
      "1.2.3.4::",
      "::1.2.3.4",
      "::1.2.3.04",
      "localhost",
      "eth0",
      "*",
      "256.0.0.1",
      "127.0.0",
      "127.0.0.01",
      "1.2.3.4.5",
    ),
  },
);

const hostAndContainer = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(ports, ports).map(([host, container]) => `${host}:${container}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 0, max: 11 }))
      .map(([host, container, more]) => `${host}-${host + more}:${container}-${container + more}`),
  },
);

const shortForm = fc
  .tuple(
    fc.oneof(
      ports,
      hostAndContainer,
      fc.tuple(address, hostAndContainer).map(([ip, rest]) => `${ip}:${rest}`),
    ),
    protocol,
  )
  .map(([rest, suffix]) => rest + suffix);

const longForm = fc
  .array(
    fc.oneof(
      ports.map((text) => `published=${text}`),
      ports.map((text) => `target=${text}`),
      fc.constantFrom("protocol=udp", "protocol=TCP", "protocol=", "protocol=icmp", "mode=host", "name", "=80", ""),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((fields) => fields.join(","));

function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const letters = fc.constantFrom(...":-/[].%a0 1+x,=");
  return fc.tuple(text, fc.nat(), fc.nat({ max: 1 }), letters).map(([whole, place, cut, letter]) => {
    const at = place % (whole.length + 1);
    return whole.slice(0, at) + letter + whole.slice(at + cut);
  });
}
