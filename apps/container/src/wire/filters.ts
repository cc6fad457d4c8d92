/** Docker's `filters` query, parsed: key → the values asked for. Both the list and the map-of-bool form arrive here. */
export type Filters = ReadonlyMap<string, readonly string[]>;
