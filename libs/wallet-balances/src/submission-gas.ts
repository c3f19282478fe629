import { furtherTokenGas, withdrawalGas } from './withdrawal-gas.js';

/** Gas beyond the fee for an owner's contract (ERC-1271) and a recipient's code. */
const CODE_ALLOWANCE = 150_000n;
/** Gas beyond the fee for the deployment of an owner's account (ERC-6492); a Safe's costs up to 400,000. */
const OWNER_DEPLOYMENT_ALLOWANCE = 500_000n;

export interface SubmissionGas {
  /** Gas that the full fee repays. */
  paid: bigint;
  /** The owner's account does not exist, and the signature deploys it. */
  deploysOwner: boolean;
}

/** Largest gas limit of a submission. Strangers' code runs in it, so the loss is bounded by what the fee pays. */
export const maxSubmissionGas = ({ paid, deploysOwner }: SubmissionGas): bigint =>
  2n * paid + CODE_ALLOWANCE + (deploysOwner ? OWNER_DEPLOYMENT_ALLOWANCE : 0n);

/**
 * Largest gas of a withdrawal that deploys its wallet and transfers nothing. With the transfers of a token it is within
 * {@link maxSubmissionGas}, and without the deployment too.
 */
export function maxProofGas({
  isNative,
  deploysOwner,
}: Pick<SubmissionGas, 'deploysOwner'> & { isNative: boolean }): bigint {
  const paid = withdrawalGas({ isNative, isDeployed: true });
  const deployment = withdrawalGas({ isNative, isDeployed: false }) - paid;
  return maxSubmissionGas({ paid, deploysOwner }) + deployment - furtherTokenGas({ isNative });
}
