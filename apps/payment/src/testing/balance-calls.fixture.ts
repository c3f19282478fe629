import { toFunctionSelector } from 'viem';

/** Selector, without 0x, by which a multicall reads each native balance: calldata holds one for each wallet. */
export const GET_BALANCE = toFunctionSelector('getEthBalance(address)').slice(2);
