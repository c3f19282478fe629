/** Everything that is wrong with an environment, so that an operator fixes it in one go. */
export class ConfigurationError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`);
    this.name = 'ConfigurationError';
  }
}
