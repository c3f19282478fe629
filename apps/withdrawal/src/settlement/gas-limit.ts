/** Gas beyond the fee for an owner's contract (ERC-1271) and a recipient's code. */
const CODE_ALLOWANCE = 150_000n;
/** Gas beyond the fee for the deployment of an owner's account (ERC-6492); a Safe's costs up to 400,000. */
const OWNER_DEPLOYMENT_ALLOWANCE = 500_000n;
/** Margin for changes of state between the estimate and the block. */
const MARGIN_PERCENT = 140n;

export interface SubmissionGas {
  /** Gas that the full fee repays. */
  paid: bigint;
  /** The owner's account does not exist, and the signature deploys it. */
  deploysOwner: boolean;
}

/** Largest gas limit of a submission. Strangers' code runs in it, so the loss is bounded by what the fee pays. */
export function maxGas({ paid, deploysOwner }: SubmissionGas): bigint {
  return 2n * paid + CODE_ALLOWANCE + (deploysOwner ? OWNER_DEPLOYMENT_ALLOWANCE : 0n);
}

/** Gas limit for an estimate that is at most `max`. */
export function gasLimit(estimate: bigint, max: bigint): bigint {
  const wanted = (estimate * MARGIN_PERCENT) / 100n;
  return wanted < max ? wanted : max;
}
