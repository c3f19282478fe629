import { formatAmount, maxAmount } from '@bascule/amounts';
import {
  MAX_REVENUE_SHARE_PCT,
  PCT_DECIMALS,
  type OrganisationConfigurationIssue,
  type RevenueShareState,
} from '@bascule/contracts';
import { parseRevenueShare, ppmOf, totalPpm, type RevenueShare } from '../routes/revenue-share.js';

export interface ReadRevenueShare {
  share: RevenueShare | null;
  issue: OrganisationConfigurationIssue | null;
}

const format = (ppm: bigint): string => formatAmount(ppm, PCT_DECIMALS);

/** Finds an organisation's share by its name; checks the maximum once more, since the state comes from elsewhere. */
export function readRevenueShare(
  name: string,
  configured: readonly RevenueShareState[],
): ReadRevenueShare {
  const found = configured.find((share) => share.name === name);
  if (found === undefined) {
    const message = `Revenue share ${name} is not configured.`;
    return { share: null, issue: { kind: 'org_configuration', message } };
  }
  const share = parseRevenueShare(found.receivers);
  const shares = [...share.values()].flat().map(({ ppm }) => ppm);
  const largest = shares.reduce(maxAmount, 0n);
  const total = [...share.values()].map(totalPpm).reduce(maxAmount, 0n);
  if (total <= ppmOf(MAX_REVENUE_SHARE_PCT)) return { share, issue: null };
  return {
    share: null,
    issue: {
      kind: 'org_configuration',
      message: `Revenue share ${name} takes ${format(total)} %; at most ${MAX_REVENUE_SHARE_PCT} % is allowed.`,
      rev_share_pct: format(largest),
      total_pct: format(total),
      threshold: MAX_REVENUE_SHARE_PCT,
    },
  };
}
