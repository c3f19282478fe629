import {
  type Address,
  encodeFunctionData,
  type Hex,
  isErc6492Signature,
  multicall3Abi,
  parseErc6492Signature,
} from 'viem';
import { type ServiceAuthorization } from './authorization.js';
import { type Declaration } from './declaration.js';
import { oneTimeWalletAbi, oneTimeWalletFactoryAbi } from './generated/abis.js';

export interface WithdrawalTarget {
  wallet: Address;
  /** Known to exist: a call to an address without code would succeed without effect. */
  isDeployed: boolean;
  multicall3: Address;
}

/** One call of a batch; optional ones prepare the last and may have been made by somebody else. */
export interface WithdrawalStep {
  target: Address;
  data: Hex;
  isOptional: boolean;
}

/** The calls of a withdrawal from a wallet that may not exist yet, the withdrawal last. */
export function withdrawalSteps(
  declaration: Declaration,
  authorization: ServiceAuthorization,
  signature: Hex,
  wallet: Address,
): WithdrawalStep[] {
  const owner = parseErc6492Signature(signature);
  const deploy = encodeFunctionData({
    abi: oneTimeWalletFactoryAbi,
    functionName: 'deploy',
    args: [authorization.signatory_declaration_hash],
  });
  return [
    // May fail because the account is there already; if it is not, the withdrawal fails.
    ...(owner.address === undefined
      ? []
      : [{ target: owner.address, data: owner.data, isOptional: true }]),
    { target: declaration.factory, data: deploy, isOptional: false },
    {
      target: wallet,
      data: withdrawData(declaration, authorization, owner.signature),
      isOptional: false,
    },
  ];
}

const withdrawData = (
  declaration: Declaration,
  authorization: ServiceAuthorization,
  signature: Hex,
): Hex =>
  encodeFunctionData({
    abi: oneTimeWalletAbi,
    functionName: 'withdraw',
    args: [declaration, authorization, signature],
  });

/**
 * The one transaction that brings a signed withdrawal onto its chain, for whoever sends it: where they are not there
 * yet, it deploys the wallet and (from an ERC-6492 signature) the account that owns it.
 */
export function withdrawalCall(
  declaration: Declaration,
  authorization: ServiceAuthorization,
  signature: Hex,
  { wallet, isDeployed, multicall3 }: WithdrawalTarget,
): { to: Address; data: Hex } {
  if (isDeployed && !isErc6492Signature(signature)) {
    return { to: wallet, data: withdrawData(declaration, authorization, signature) };
  }
  const calls = withdrawalSteps(declaration, authorization, signature, wallet).map(
    ({ target, data, isOptional }) => ({
      target,
      allowFailure: isOptional,
      callData: data,
    }),
  );
  return {
    to: multicall3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
  };
}
