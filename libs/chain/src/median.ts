/** Median of numbers, of an even count the lower or the higher one of the middle two; undefined without any. */
export function median<T extends bigint | number>(
  values: readonly T[],
  middle: 'lower' | 'higher',
): T | undefined {
  const ascending = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const { length } = ascending;
  return ascending[Math.floor((middle === 'lower' ? length - 1 : length) / 2)];
}
