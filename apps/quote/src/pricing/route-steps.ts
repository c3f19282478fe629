import { formatAmount } from '@bascule/amounts';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { RouteAccount, RouteChange, RouteStep } from '@bascule/contracts';
import type { Amount } from '../routes/fee-breakdown.js';
import { depositOf, type QuotedLeg, type QuotedRoute } from '../routes/quoted-route.js';

interface Effects {
  consume: RouteChange[];
  produce: RouteChange[];
  piece: RouteStep['pieces_info'][number];
}

const change = (account: RouteAccount, { asset, decimals, units }: Amount): RouteChange => ({
  account,
  resource: { asset, property: 'BALANCE' },
  amount: formatAmount(units, decimals),
});

function fundingStep(quoted: QuotedRoute): RouteStep {
  const { input, onramp } = quoted;
  const net_effect = {
    consume: [change('USER', input)],
    produce: [change('SPW', depositOf(quoted))],
  };
  if (!onramp) {
    return { type: 'USER_FUND', net_effect, pieces_info: [{ type: 'user_fund' }], step_index: 0 };
  }
  const { provider, method } = onramp;
  return {
    type: 'ONRAMP',
    net_effect,
    pieces_info: [{ type: 'onramp', provider, method }],
    step_index: 0,
  };
}

/** Effects of a conversion: the pool takes the input less fees and gives the output. */
function conversion({ chain, input, networkFee, venue, output }: QuotedLeg): Effects[] {
  if (venue === null) return [];
  return [
    {
      consume: [change('POOL', output)],
      produce: [change('POOL', { ...input, units: input.units - networkFee })],
      piece: { type: 'convert', chain, venue, from: input.asset, to: output.asset },
    },
  ];
}

/** Effects of the output: a payout to the destination, or a transfer over the bridge. */
function delivery({ chain, output, bridge }: QuotedLeg): Effects {
  if (bridge === null) {
    return {
      consume: [],
      produce: [change('DEST', output)],
      piece: { type: 'transfer_out', chain },
    };
  }
  const { name, delivered } = bridge;
  const { chain: to_chain } = parseTokenIdentifier(delivered.asset);
  return {
    consume: [change('BRIDGE', delivered)],
    produce: [change('BRIDGE', output), change('SPW', delivered)],
    piece: {
      type: 'bridge',
      ...{ chain, to_chain, bridge: name, from: output.asset, to: delivered.asset },
    },
  };
}

/** Step of one leg; conserves every asset. */
function onchainStep(leg: QuotedLeg, index: number): RouteStep {
  const { input, networkFee } = leg;
  const fee = networkFee === 0n ? [] : [change('SERVICE', { ...input, units: networkFee })];
  const [converted, delivered] = [conversion(leg), delivery(leg)];
  return {
    type: 'ONCHAIN_STEP',
    net_effect: {
      consume: [
        change('SPW', input),
        ...converted.flatMap(({ consume }) => consume),
        ...delivered.consume,
      ],
      produce: [...delivered.produce, ...fee, ...converted.flatMap(({ produce }) => produce)],
    },
    pieces_info: [...converted.map(({ piece }) => piece), delivered.piece],
    step_index: index + 1,
  };
}

export const routeSteps = (quoted: QuotedRoute): RouteStep[] => [
  fundingStep(quoted),
  ...quoted.legs.map(onchainStep),
];
