import type { Check, Outcome } from '../finding.js';
import { missing, ok, wrong } from '../finding.js';

/** The environment of each service is one with which it starts. */
export const configuration: Check = {
  name: 'configuration',
  probes: ({ services }) =>
    services.map(({ name, problems }) => ({
      subject: name,
      read: async () => (problems.length === 0 ? [ok()] : problems.map(outcomeOf)),
    })),
};

const outcomeOf = (problem: string): Outcome =>
  /: is missing/.test(problem)
    ? missing(problem, 'set the variable')
    : wrong(problem, 'correct the variable');
