import type { ConfiguredChain } from '@bascule/chain';
import { formatEther, parseGwei } from 'viem';
import type { Check, Outcome, Probe } from '../finding.js';
import { missing, ok } from '../finding.js';
import type { Deployment, ServiceKeys } from '../deployment.js';
import { validServices } from '../deployment.js';
import { readFromChain } from '../nodes.js';

/** Gas of a large transaction of ours. */
const TRANSACTION_GAS = 300_000n;
/** Transactions that a balance pays at a tenth of the chain's highest fee, which is several times a usual one. */
const LEAST_TRANSACTIONS = 20n;

/** Keys that send transactions can pay for some of them on each chain. */
export const balances: Check = {
  name: 'balances',
  probes: (deployment) =>
    validServices(deployment).flatMap(({ name, facts: { keys, chains } }) =>
      keys
        .filter(({ use, isRetired }) => use !== 'attester' && !isRetired)
        .flatMap((own) =>
          own.locations.flatMap((location) =>
            (chains?.chains ?? []).map((chain) =>
              probeOf(name, chain, { own, location, deployment }),
            ),
          ),
        ),
    ),
};

interface PayingKey {
  own: ServiceKeys;
  location: string;
  deployment: Deployment;
}

function probeOf(
  service: string,
  chain: ConfiguredChain,
  { own, location, deployment }: PayingKey,
): Probe {
  const { name, nativeCurrency } = chain.definition;
  const least = deployment.leastBalances.get(name) ?? leastBalance(chain);
  return {
    subject: `${service} ${own.use} on ${name}`,
    async read(): Promise<readonly Outcome[]> {
      const { address } = await deployment.keyRing.open(location, own);
      const balance = await readFromChain(chain, (client) => client.getBalance({ address }));
      const found = `${address} has ${formatEther(balance)} ${nativeCurrency.symbol}`;
      if (balance >= least) return [ok(found)];
      const wanted = `${formatEther(least)} ${nativeCurrency.symbol}`;
      return [missing(found, `send it native currency: at least ${wanted} in all`)];
    },
  };
}

const leastBalance = ({ definition }: ConfiguredChain): bigint =>
  (LEAST_TRANSACTIONS * TRANSACTION_GAS * parseGwei(String(definition.maxFeeGwei))) / 10n;
