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

/** A table that becomes a list of cards on a narrow screen. */
export function Table<T>({ label, columns, rows, keyOf }: TableProps<T>) {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, align }) => (
            <th key={title} scope="col" className={align}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, align }) => (
              <td key={title} data-label={title} className={align}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
