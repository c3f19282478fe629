import { formatAmount } from '@bascule/amounts';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { RouteAccount, RouteChange, RouteStep } from '@bascule/contracts';
import type { Amount } from '../routes/amount.js';
import { depositOf, type QuotedLeg, type QuotedRoute } from '../routes/quoted-route.js';

interface Effects {
  consume: RouteChange[];
  produce: RouteChange[];
}

type Piece = RouteStep['pieces_info'][number];

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

const sharePieces = ({ chain, businessFees }: QuotedLeg): Piece[] =>
  businessFees.length === 0 ? [] : [{ type: 'rev_share', chain }];

const conversionPieces = ({ chain, input, venue, output }: QuotedLeg): Piece[] =>
  venue === null ? [] : [{ type: 'convert', chain, venue, from: input.asset, to: output.asset }];

const customPieces = ({ chain, custom }: QuotedLeg): Piece[] =>
  (custom?.targets ?? []).map((target) => ({ type: 'custom_call', chain, target }));

function deliveryPiece({ chain, output, bridge }: QuotedLeg): Piece {
  if (bridge === null) return { type: 'transfer_out', chain };
  const { name, delivered } = bridge;
  const { chain: to_chain } = parseTokenIdentifier(delivered.asset);
  return {
    ...({ type: 'bridge', chain, to_chain, bridge: name } as const),
    ...{ from: output.asset, to: delivered.asset },
  };
}

/**
 * Payout to the destination, or transfer over the bridge. What a conversion makes for a bridge is produced at the
 * wallet and consumed there.
 */
function deliveryEffects({ output, bridge, venue }: QuotedLeg): Effects {
  if (bridge === null) return { consume: [], produce: [change('DEST', output)] };
  const intermediate = venue === null ? [] : [change('SPW', output)];
  return {
    consume: [...intermediate, change('BRIDGE', bridge.delivered)],
    produce: [...intermediate, change('BRIDGE', output), change('SPW', bridge.delivered)],
  };
}

/** Step of one leg; conserves every asset but the two of a conversion. */
function onchainStep(leg: QuotedLeg, index: number): RouteStep {
  const { input, networkFee, businessFees } = leg;
  const fees = [
    { account: 'SERVICE' as const, units: networkFee },
    ...businessFees.map(({ units }) => ({ account: 'REV_SHARE' as const, units })),
  ].flatMap(({ account, units }) => (units === 0n ? [] : [change(account, { ...input, units })]));
  const { consume, produce } = deliveryEffects(leg);
  return {
    type: 'ONCHAIN_STEP',
    net_effect: {
      consume: [change('SPW', input), ...consume],
      produce: [...produce, ...(leg.custom?.effects ?? []), ...fees],
    },
    pieces_info: [
      ...sharePieces(leg),
      ...conversionPieces(leg),
      ...customPieces(leg),
      deliveryPiece(leg),
    ],
    step_index: index + 1,
  };
}

export const routeSteps = (quoted: QuotedRoute): RouteStep[] => [
  fundingStep(quoted),
  ...quoted.legs.map(onchainStep),
];
