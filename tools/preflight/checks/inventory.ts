import type { ConfiguredChain } from '@bascule/chain';
import { erc20Abi, maxUint256, type Address } from 'viem';
import type { Check, Outcome, Probe } from '../finding.js';
import { missing, ok } from '../finding.js';
import type { Deployment, ServiceFacts } from '../deployment.js';
import { validServices } from '../deployment.js';
import { readFromChain } from '../nodes.js';

/** Allowance that the solver takes as enough: some tokens count down from the maximum. */
const ENOUGH = maxUint256 / 2n;

/** The solver has tokens to deliver, and the escrow may take them. */
export const inventory: Check = {
  name: 'inventory',
  probes: (deployment) =>
    validServices(deployment).flatMap(({ name, facts }) =>
      (facts.inventory ?? []).flatMap(({ tokens, minAmount }) =>
        (facts.chains?.chains ?? []).flatMap((chain) => {
          const token = tokens.get(chain.definition.name);
          const escrow = chain.definition.contracts.intentEscrow;
          return token === undefined || escrow === undefined
            ? []
            : [probeOf(name, { chain, token, escrow, minAmount }, facts, deployment)];
        }),
      ),
    ),
};

interface Stock {
  chain: ConfiguredChain;
  token: Address;
  escrow: Address;
  minAmount: bigint;
}

function probeOf(
  service: string,
  { chain, token, escrow, minAmount }: Stock,
  { keys }: ServiceFacts,
  { keyRing }: Deployment,
): Probe {
  return {
    subject: `${service} ${token} on ${chain.definition.name}`,
    async read(): Promise<readonly Outcome[]> {
      const own = keys.find(({ isRetired }) => !isRetired);
      const [location] = own?.locations ?? [];
      if (own === undefined || location === undefined) return [];
      const { address } = await keyRing.open(location, own);
      const contract = { address: token, abi: erc20Abi } as const;
      const [balance, allowance] = await readFromChain(chain, (client) =>
        Promise.all([
          client.readContract({ ...contract, functionName: 'balanceOf', args: [address] }),
          client.readContract({ ...contract, functionName: 'allowance', args: [address, escrow] }),
        ]),
      );
      const faults = [
        ...(balance >= minAmount ? [] : [tooLittle(address, balance, minAmount)]),
        ...(allowance >= ENOUGH ? [] : [notAllowed(allowance)]),
      ];
      return faults.length === 0 ? [ok(`${balance} smallest units`)] : faults;
    },
  };
}

const tooLittle = (address: Address, balance: bigint, least: bigint): Outcome =>
  missing(
    `${address} has ${balance} smallest units`,
    `send it tokens: the smallest order is ${least}`,
  );

const notAllowed = (allowance: bigint): Outcome =>
  missing(
    `the escrow's allowance is ${allowance}`,
    'start the solver, which grants it; then see its log for the transaction',
  );
