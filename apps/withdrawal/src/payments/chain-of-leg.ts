import type { Chain } from '@bascule/chain';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';

/** Whether a leg is on this chain: confirming the payment checked that its owner can sign there. */
export const isChainOfLeg = (
  chain: Pick<Chain, 'chainId'>,
  { declaration }: Pick<ProjectedPayment, 'declaration'>,
): boolean => declaration.legs.some(({ chain_id: id }) => id === String(chain.chainId));
