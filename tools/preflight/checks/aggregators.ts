import type { ChainDefinition } from '@bascule/chain';
import { PeerError } from '@bascule/json-client';
import { AGGREGATOR_ADAPTERS, type AggregatorsConfig } from '@bascule/venues';
import { parseUnits, zeroAddress } from 'viem';
import type { Check, Outcome, Probe } from '../finding.js';
import { ok, unknown, wrong } from '../finding.js';
import { validServices } from '../deployment.js';

/** Aggregators accept our credentials: the price of a small swap, which nobody signs. */
export const aggregators: Check = {
  name: 'aggregators',
  probes: (deployment) =>
    validServices(deployment).flatMap(({ name, facts }) =>
      (facts.aggregators ?? []).flatMap((config) =>
        // One chain is enough: credentials are the same for all, and each question is one of few that a plan allows.
        (facts.chains?.chains ?? [])
          .flatMap(({ definition }) => probeOf(name, config, definition))
          .slice(0, 1),
      ),
    ),
};

/** Probe on a chain that the aggregator has, with a token to ask for. */
function probeOf(
  service: string,
  config: AggregatorsConfig[number],
  { name, chainId, nativeCurrency, contracts }: ChainDefinition,
): readonly Probe[] {
  const [outputToken] = contracts.uniswapV3?.intermediateTokens ?? [];
  if (contracts.aggregators?.[config.adapter] === undefined || outputToken === undefined) return [];
  return [
    {
      subject: `${service} ${config.name} on ${name}`,
      async read(): Promise<readonly Outcome[]> {
        try {
          const swap = await AGGREGATOR_ADAPTERS[config.adapter].create(config).swap({
            chainId,
            inputToken: zeroAddress,
            outputToken,
            amountIn: parseUnits('0.01', nativeCurrency.decimals),
            taker: contracts.converter,
          });
          return [ok(swap === null ? 'no route' : 'a route')];
        } catch (error) {
          if (!(error instanceof PeerError)) throw error;
          return [outcomeOf(error)];
        }
      },
    },
  ];
}

const outcomeOf = ({ message, retryable }: PeerError): Outcome =>
  retryable
    ? unknown(message, 'try again; then check base_url of its entry in AGGREGATORS')
    : wrong(message, 'correct base_url and api_key of its entry in AGGREGATORS');
