/** With `--check`, a benchmark that misses an aim fails. */
const isChecked = process.argv.includes('--check');

/** Says whether an aim was met in this run. */
export function aim(what: string, isMet: boolean): void {
  console.log(`${isMet ? 'met' : 'NOT met'}: ${what}`);
  if (isChecked && !isMet) process.exitCode = 1;
}
