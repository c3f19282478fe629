import { Chains, type ChainsConfig } from '@bascule/chain';
import { PeerError } from '@bascule/json-client';
import { ServiceContext } from '@bascule/process';
import { createScreeningSources, sanctionsOracles, type ScreeningConfig } from '@bascule/screening';
import { isAddressEqual, type Address } from 'viem';
import type { Check, Outcome, Probe } from '../finding.js';
import { ok, unknown, wrong } from '../finding.js';
import { validServices } from '../deployment.js';

/** An address that nobody holds the key of, and no list names. */
const NOBODY: Address = '0x000000000000000000000000000000000000dead';

/** Sources of sanctions answer, and oracles are the public ones of their chains. */
export const screening: Check = {
  name: 'screening',
  probes: (deployment) =>
    validServices(deployment).flatMap(({ name, facts: { screening: config, chains } }) =>
      config === undefined || chains === undefined
        ? []
        : [...oracleProbes(name, config), ...sourceProbes(name, config, chains)],
    ),
};

const oracleProbes = (service: string, { oracles }: ScreeningConfig): readonly Probe[] =>
  oracles.flatMap(({ chain, address }) => {
    const published = sanctionsOracles[chain];
    if (published === undefined) return [];
    const outcome = isAddressEqual(published, address)
      ? ok(address)
      : wrong(`${address}, published is ${published}`, 'correct SCREENING_ORACLES');
    return [{ subject: `${service} oracle of ${chain}`, read: async () => [outcome] }];
  });

function sourceProbes(
  service: string,
  config: ScreeningConfig,
  chains: ChainsConfig,
): readonly Probe[] {
  const context = new ServiceContext({ name: 'preflight', environment: 'preflight' });
  return createScreeningSources(config, new Chains(chains), context).map((source) => ({
    subject: `${service} ${source.name}`,
    async read(): Promise<readonly Outcome[]> {
      const { failure } = await source.answersAbout([NOBODY]);
      if (failure === undefined) return [ok()];
      return [
        failure instanceof PeerError && !failure.retryable
          ? wrong(failure.message, 'correct SCREENING_API_URL and SCREENING_API_KEY')
          : unknown('no answer', 'check the source, and RPC_URLS_… where it is an oracle'),
      ];
    },
  }));
}
