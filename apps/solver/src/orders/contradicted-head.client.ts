import { settleUntil, witnessesNeeded } from '@bascule/chain';
import type { Chain } from '@bascule/chain';

/** Time by which heads of honest nodes may differ. */
const TOLERANCE_MS = 30_000;

/**
 * Whether fewer nodes than needed have a head near this one: of two heights the lower is agreed on, so one node alone could
 * hold the scan at an old block. Three nodes outvote one.
 */
export async function isHeadContradicted(
  chain: Pick<Chain, 'endpoints' | 'definition'>,
  final: bigint,
): Promise<boolean> {
  const { confirmations, blockTimeMs } = chain.definition;
  const tolerated = confirmations - 1 + Math.ceil(TOLERANCE_MS / blockTimeMs);
  const areNear = (heights: readonly bigint[]) =>
    heights.filter((height) => height <= final + BigInt(tolerated)).length >=
    witnessesNeeded(chain);
  const heights = chain.endpoints.map((node) => node.getBlockNumber({ cacheTime: 0 }));
  return !areNear((await settleUntil(heights, areNear)).values);
}
