import { developmentAddresses, weth9Abi } from '@bascule/solidity';
import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import { deployer } from './development-accounts.js';
import type { PlannedTransaction } from './development-client.js';
import type { Side } from './pools.js';

/** Wraps native currency of an account. */
export function deposit(from: Address, value: bigint): PlannedTransaction {
  const data = encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' });
  return { what: `wrapping ether of ${from}`, from, to: developmentAddresses.weth, data, value };
}

/** Sends tokens of the deployer. */
export function transfer({ token, amount }: Side, to: Address): PlannedTransaction {
  const args = [to, amount] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
  return { what: `transfer of ${token}`, from: deployer, to: token, data };
}
