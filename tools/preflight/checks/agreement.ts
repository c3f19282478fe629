import type { Check, Outcome, Probe } from '../finding.js';
import { ok, wrong } from '../finding.js';
import type { Service, ServiceFacts, SigningPair } from '../deployment.js';
import { validServices } from '../deployment.js';

type ValidService = Service & { facts: ServiceFacts };

/** Facts that are the same in every service that has them. */
const SHARED: Readonly<Record<string, (facts: ServiceFacts) => string | undefined>> = {
  ENVIRONMENT: ({ environment }) => environment,
  CHAINS: ({ chains }) =>
    chains?.chains
      .map(({ definition }) => definition.name)
      .sort()
      .join(','),
  EXECUTOR_CONTRACT: contract('executor'),
  ATTESTER_ORACLE: contract('attesterOracle'),
  INTENT_ESCROW: contract('intentEscrow'),
  FEE_RECEIVER: ({ feeReceiver }) => feeReceiver,
  KAFKA_BROKERS: ({ hasEvents, kafka }) =>
    hasEvents
      ? kafka
        ? [...kafka.brokers].sort().join(',')
        : 'the event log in Postgres'
      : undefined,
  ATTESTER_URLS: ({ attesterUrls = [] }) =>
    attesterUrls.length === 0 ? undefined : [...attesterUrls].sort().join(','),
  PROVIDERS: ({ providers }) =>
    providers?.map(({ name, adapter, baseUrl }) => [name, adapter, baseUrl].join(' ')).join(','),
  BRIDGES: ({ bridges }) =>
    bridges?.map(({ name, adapter, solverUrl }) => [name, adapter, solverUrl].join(' ')).join(','),
  AGGREGATORS: ({ aggregators }) =>
    aggregators?.map(({ name, adapter, baseUrl }) => [name, adapter, baseUrl].join(' ')).join(','),
};

/** Services agree about what they share: a mismatch fails payments, not starts. */
export const agreement: Check = {
  name: 'agreement',
  probes(deployment) {
    const services = validServices(deployment);
    if (services.length < 2) return [];
    return [
      ...Object.entries(SHARED).flatMap(([variable, read]) =>
        sharedProbe(variable, read, services),
      ),
      ...pairProbe('internal tokens', services),
      ...pairProbe('funding links', services),
      ...stateTokenProbe(services),
    ];
  },
};

function contract(name: 'executor' | 'attesterOracle' | 'intentEscrow') {
  return ({ chains }: ServiceFacts): string | undefined =>
    chains?.chains
      .map(({ definition }) => definition.contracts[name] ?? 'none')
      .filter((address, index, all) => all.indexOf(address) === index)
      .sort()
      .join(',');
}

function sharedProbe(
  variable: string,
  read: (facts: ServiceFacts) => string | undefined,
  services: readonly ValidService[],
): readonly Probe[] {
  const values = services.flatMap(({ name, facts }) => {
    const value = read(facts);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (values.length < 2) return [];
  return [{ subject: variable, read: async () => [compared(values)] }];
}

/** Groups services by value; the values themselves may be long or secret. */
function compared(values: readonly (readonly [string, string])[]): Outcome {
  const groups = [...new Set(values.map(([, value]) => value))].map((value) =>
    values.filter(([, other]) => other === value).map(([name]) => name),
  );
  if (groups.length === 1) return ok();
  return wrong(
    `differs: ${groups.map((names) => names.join(', ')).join(' | ')}`,
    'give all of these services the same value',
  );
}

/** Each key that signs is one that all verifiers know. */
function pairProbe(name: SigningPair['name'], services: readonly ValidService[]): readonly Probe[] {
  const withRole = (role: SigningPair['role']) =>
    services.flatMap((service) =>
      service.facts.signingPairs
        .filter((pair) => pair.name === name && pair.role === role)
        .map(({ keys }) => ({ service: service.name, keys })),
    );
  const [signers, verifiers] = [withRole('signs'), withRole('verifies')];
  if (signers.length === 0 || verifiers.length === 0) return [];
  const used = signers.flatMap(({ keys }) => keys);
  const strangers = verifiers.filter(({ keys }) => !used.every((key) => keys.includes(key)));
  return [{ subject: name, read: async () => [knownBy(strangers)] }];
}

/** Each key that seals is one that all services open with. */
function stateTokenProbe(services: readonly ValidService[]): readonly Probe[] {
  const holders = services.flatMap(({ name, facts: { stateTokenKeys: keys } }) =>
    keys === undefined ? [] : [{ service: name, keys }],
  );
  if (holders.length < 2) return [];
  const used = holders.flatMap(({ keys }) => keys.slice(0, 1));
  const strangers = holders.filter(({ keys }) => !used.every((key) => keys.includes(key)));
  return [{ subject: 'STATE_TOKEN_KEYS', read: async () => [knownBy(strangers)] }];
}

const knownBy = (strangers: readonly { service: string }[]): Outcome =>
  strangers.length === 0
    ? ok()
    : wrong(
        `a key in use is not known to ${strangers.map(({ service }) => service).join(', ')}`,
        'add it there, as docs/operations/secrets.md says',
      );
