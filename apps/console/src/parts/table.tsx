import type { ReactNode } from "react";

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: "end";
}

interface TableProps<T> {
  /** What the table lists, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
}

// Browsers take the roles of a table's parts away where they are laid out as cards, unless they are given by name.
const TABLE = { role: "table" } as const;
const ROWS = { role: "rowgroup" } as const;
const ROW = { role: "row" } as const;
const HEADER = { role: "columnheader" } as const;
const CELL = { role: "cell" } as const;

/** A table that becomes a list of cards on a narrow screen. */
export function Table<T>({ label, columns, rows, keyOf }: TableProps<T>) {
  return (
    <table {...TABLE} className="table" aria-label={label}>
      <thead {...ROWS}>
        <tr {...ROW}>
          {columns.map(({ title, align }) => (
            <th {...HEADER} key={title} scope="col" className={align}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROWS}>
        {rows.map((row) => (
          <tr {...ROW} key={keyOf(row)}>
            {columns.map(({ title, cell, align }) => (
              <td {...CELL} key={title} data-label={title} className={align}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
