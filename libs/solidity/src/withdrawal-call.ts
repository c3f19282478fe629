import {
  type Address,
  encodeFunctionData,
  type Hex,
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
  /** Only to find the reason of a failure. */
  allowFailure?: boolean;
}

/**
 * The one transaction that brings a signed withdrawal onto its chain, for whoever sends it: where they are not there
 * yet, it deploys the wallet and (from an ERC-6492 signature) the account that owns it.
 */
export function withdrawalCall(
  declaration: Declaration,
  authorization: ServiceAuthorization,
  signature: Hex,
  { wallet, isDeployed, multicall3, allowFailure = false }: WithdrawalTarget,
): { to: Address; data: Hex } {
  const owner = parseErc6492Signature(signature);
  const withdraw = encodeFunctionData({
    abi: oneTimeWalletAbi,
    functionName: 'withdraw',
    args: [declaration, authorization, owner.signature],
  });
  if (isDeployed && owner.address === undefined) return { to: wallet, data: withdraw };

  const deploy = encodeFunctionData({
    abi: oneTimeWalletFactoryAbi,
    functionName: 'deploy',
    args: [authorization.signatory_declaration_hash],
  });
  const calls = [
    // May fail because the account is there already; if it is not, the withdrawal fails.
    ...(owner.address === undefined
      ? []
      : [{ target: owner.address, allowFailure: true, callData: owner.data }]),
    { target: declaration.factory, allowFailure, callData: deploy },
    { target: wallet, allowFailure, callData: withdraw },
  ];
  return {
    to: multicall3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
  };
}
