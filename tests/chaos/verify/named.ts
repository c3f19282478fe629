import type { AcceptedPayment, Play } from '../payments/play.js';

/** What verifying needs of a play. */
export interface VerifiedPlay extends Pick<Play, 'kind' | 'destination'> {
  chain: Pick<Play['chain'], 'name'>;
  accepted: Pick<AcceptedPayment, 'id' | 'wallet' | 'declaration'> | null;
}

/** A payment, as findings name it. */
export const named = ({ kind, accepted, chain }: Omit<VerifiedPlay, 'destination'>): string =>
  `${kind} ${accepted?.id ?? 'not accepted'} on ${chain.name}:`;
