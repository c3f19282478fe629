/** With `--check`, a benchmark that misses a target fails. */
const isChecked = process.argv.includes('--check');

/** Says whether a target was met in this run. */
export function target(what: string, isMet: boolean): void {
  console.log(`${isMet ? 'met' : 'NOT met'}: ${what}`);
  if (isChecked && !isMet) process.exitCode = 1;
}
