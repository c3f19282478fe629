/** Lists every problem of an environment, so that an operator can fix all at once. */
export class ConfigurationError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`);
    this.name = 'ConfigurationError';
  }
}
