import { developmentAccounts, rpcCall } from '@bascule/local-stack';
import type { TokenIdentifier } from '@bascule/contracts';
import type { TestChain } from '@bascule/testing';
import { createTestClient, erc20Abi, http, publicActions, walletActions } from 'viem';
import type { Address, Hex, SignedAuthorizationList, TransactionReceipt } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const [faucet] = developmentAccounts;
const NATIVE = '0x';

/** USDT returns nothing. */
const TRANSFER = {
  type: 'function',
  name: 'transfer',
  stateMutability: 'nonpayable',
  inputs: [
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  outputs: [],
} as const;

/** Client of a development chain with control over its clock. */
export function playOn({ rpcUrl }: Pick<TestChain, 'rpcUrl'>) {
  const client = createTestClient({
    mode: 'anvil',
    transport: http(rpcUrl),
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(walletActions);
  const account = privateKeyToAccount(faucet.privateKey);
  const addressOf = (token: TokenIdentifier) => token.slice(token.indexOf(':') + 1) as Address;

  const send = async (
    call: {
      to?: Address;
      data?: Hex;
      value?: bigint;
      gas?: bigint;
      authorizationList?: SignedAuthorizationList;
    },
    sender = account,
  ): Promise<TransactionReceipt> => {
    const hash = await client.sendTransaction({ account: sender, chain: null, ...call });
    return client.waitForTransactionReceipt({ hash });
  };

  return {
    rpcUrl,
    client,
    send,
    balance: (token: TokenIdentifier, owner: string): Promise<bigint> =>
      addressOf(token) === NATIVE
        ? client.getBalance({ address: owner as Address })
        : client.readContract({
            address: addressOf(token),
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [owner as Address],
          }),
    async fund(token: TokenIdentifier, to: string, amount: bigint): Promise<void> {
      if (addressOf(token) === NATIVE) {
        await send({ to: to as Address, value: amount });
        return;
      }
      const hash = await client.writeContract({
        account,
        chain: null,
        address: addressOf(token),
        abi: [TRANSFER],
        functionName: 'transfer',
        args: [to as Address, amount],
      });
      await client.waitForTransactionReceipt({ hash });
    },
    setCode: (address: string, code: Hex) => rpcCall(rpcUrl, 'anvil_setCode', [address, code]),
    now: async (): Promise<bigint> => (await client.getBlock()).timestamp,
    /** Until the chain's clock shows at least this time: unix seconds. */
    async passTime(until: bigint): Promise<void> {
      const { timestamp } = await client.getBlock();
      if (timestamp >= until) return;
      // Not by a difference: the newest block may be as old as the chain's saved state.
      await client.setNextBlockTimestamp({ timestamp: until });
      await client.mine({ blocks: 1 });
    },
  };
}
export type ChainPlayer = ReturnType<typeof playOn>;
