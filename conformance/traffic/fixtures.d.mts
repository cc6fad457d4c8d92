export function fixtureOf(version: string): string;
export function nearestFixture(version: string): string;
