import type { Check, Outcome } from '../finding.js';
import { ok, wrong } from '../finding.js';
import type { Secret } from '../deployment.js';
import { validServices } from '../deployment.js';
import { weaknessOf } from '../weakness.js';

const ACTION = 'replace it as docs/operations/secrets.md says';

interface OwnedSecret extends Secret {
  service: string;
}

/** Secrets are random, long enough, and each used for one thing. */
export const secrets: Check = {
  name: 'secrets',
  probes(deployment) {
    const all = validServices(deployment).map(({ name, facts }) =>
      facts.secrets.map((secret) => ({ ...secret, service: name })),
    );
    return all.flatMap((own) => {
      const [first] = own;
      return first === undefined
        ? []
        : [{ subject: first.service, read: async () => outcomesOf(own, all.flat()) }];
    });
  },
};

function outcomesOf(own: readonly OwnedSecret[], all: readonly OwnedSecret[]): readonly Outcome[] {
  const faults = own.flatMap((secret) => {
    const fault = weaknessOf(secret) ?? reuseOf(secret, all);
    return fault === undefined
      ? []
      : [{ ...wrong(fault, ACTION), subject: `${secret.service} ${secret.variable}` }];
  });
  return faults.length === 0 ? [ok(`${own.length} secrets`)] : faults;
}

const variableOf = ({ variable }: Secret): string => variable.split(' ')[0] ?? variable;

/** Another use of the same secret; a text may be one that two services share. */
function reuseOf(secret: OwnedSecret, all: readonly OwnedSecret[]): string | undefined {
  const other = all.find(
    (each) =>
      each.value === secret.value &&
      variableOf(each) !== variableOf(secret) &&
      (secret.kind === 'bytes' || each.service === secret.service),
  );
  return other && `is the same as ${other.variable} of ${other.service}`;
}
