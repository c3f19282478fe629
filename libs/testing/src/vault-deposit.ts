import { developmentAddresses, developmentVaultAbi } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi } from 'viem';
import type { Address, Hex } from 'viem';

const action = (target: Address, calldata: Hex) =>
  ({ type: 'CallImmediateAction', target, value: '0', calldata }) as const;

/** Custom actions that approve and deposit USDC, in smallest units, into the vault of a development chain. */
export function vaultDeposit(amount: bigint, receiver: Address) {
  const { usdc, usdcVault } = developmentAddresses;
  const approve = { functionName: 'approve', args: [usdcVault, amount] } as const;
  const deposit = { functionName: 'deposit', args: [amount, receiver] } as const;
  return [
    action(usdc, encodeFunctionData({ abi: erc20Abi, ...approve })),
    action(usdcVault, encodeFunctionData({ abi: developmentVaultAbi, ...deposit })),
  ];
}
