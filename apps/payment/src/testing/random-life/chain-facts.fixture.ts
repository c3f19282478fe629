import { parseTokenIdentifier } from '@bascule/contracts';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { erc20Abi, getAbiItem, getAddress, isAddressEqual } from 'viem';
import type { Address, Hash } from 'viem';
import { USDC, USDT } from '../a-quote.fixture.js';
import type { PaymentStack } from '../payment-stack.fixture.js';
import type { ChainEvent, Truth, WalletToken } from './life-cycle-model.fixture.js';

export const TOKENS = { asked: USDC, other: USDT } as const;

const ADDRESSES: Record<WalletToken, Address> = {
  asked: parseTokenIdentifier(USDC).address,
  other: parseTokenIdentifier(USDT).address,
};

const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' });
const WITHDRAWN = getAbiItem({ abi: oneTimeWalletAbi, name: 'Withdrawn' });

interface Transfer {
  token: WalletToken;
  from: Address;
  to: Address;
  amount: bigint;
  hash: Hash;
  block: bigint;
}

/** Reads from the chain what happened to a wallet in a range of blocks. */
export async function readBlocks(
  { node }: PaymentStack,
  { wallet, owner }: { wallet: Address; owner: Address },
  { from, to }: { from: bigint; to: bigint },
): Promise<Truth['blocks']> {
  const range = { fromBlock: from, toBlock: to, strict: true } as const;
  const [logs, withdrawn] = await Promise.all([
    node.getLogs({ ...range, address: Object.values(ADDRESSES), event: TRANSFER }),
    node.getLogs({ ...range, address: wallet, event: WITHDRAWN }),
  ]);
  const blames = new Map(
    withdrawn.map(({ transactionHash, args }) => [transactionHash, args.acceptBlame]),
  );
  const transfers = logs.map(({ address, args, transactionHash, blockNumber }): Transfer => ({
    token: isAddressEqual(address, ADDRESSES.asked) ? 'asked' : 'other',
    from: args.from,
    to: args.to,
    amount: args.value,
    hash: transactionHash,
    block: blockNumber,
  }));
  const numbers = Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index));
  return Promise.all(
    numbers.map(async (blockNumber) => {
      const { timestamp } = await node.getBlock({ blockNumber });
      const inBlock = transfers.filter(({ block }) => block === blockNumber);
      return { time: Number(timestamp), events: eventsOf(inBlock, blames, { wallet, owner }) };
    }),
  );
}

/** Events of a block in its order; a leg makes several transfers. */
function eventsOf(
  transfers: readonly Transfer[],
  blames: ReadonlyMap<Hash, boolean>,
  { wallet, owner }: { wallet: Address; owner: Address },
): ChainEvent[] {
  const events: ChainEvent[] = [];
  const legs = new Set<Hash>();
  for (const { token, from, to, amount, hash } of transfers) {
    const acceptBlame = blames.get(hash);
    if (isAddressEqual(to, wallet)) {
      const sender = isAddressEqual(from, owner) ? 'owner' : 'stranger';
      events.push({ kind: 'deposit', token, amount, sender });
    } else if (!isAddressEqual(from, wallet)) continue;
    else if (acceptBlame !== undefined)
      events.push({ kind: 'withdrawn', token, amount, acceptBlame });
    else if (!legs.has(hash)) {
      legs.add(hash);
      const taken = transfers
        .filter((other) => other.hash === hash && isAddressEqual(other.from, wallet))
        .reduce((sum, other) => sum + other.amount, 0n);
      events.push({ kind: 'executed', taken });
    }
  }
  return events;
}

/** Balances of a holder now. */
export const balancesOf = async (
  stack: PaymentStack,
  holder: string,
): Promise<Record<WalletToken, bigint>> => ({
  asked: await stack.balance(TOKENS.asked, getAddress(holder)),
  other: await stack.balance(TOKENS.other, getAddress(holder)),
});
