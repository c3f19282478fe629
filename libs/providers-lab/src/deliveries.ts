import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseUnits,
  type Address,
  type Hash,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

export interface Delivery {
  /** Null is the native currency. */
  contract: string | null;
  decimals: number;
  to: string;
  /** Whole units. */
  amount: string;
}

/** Sends tokens to a customer; resolves to the hash once they are mined. */
export type Deliver = (delivery: Delivery) => Promise<Hash>;

/** Delivers from a wallet on one chain, one transfer after the other. */
export function walletDeliveries(options: { privateKey: Hex; rpcUrl: string }): Deliver {
  const transport = http(options.rpcUrl);
  const wallet = createWalletClient({
    account: privateKeyToAccount(options.privateKey),
    transport,
  });
  const chain = createPublicClient({ transport, pollingInterval: 200 });
  let previous: Promise<unknown> = Promise.resolve();
  const deliver: Deliver = async ({ contract, decimals, to, amount }) => {
    const units = parseUnits(amount, decimals);
    const transfer = {
      abi: erc20Abi,
      functionName: 'transfer',
      args: [to as Address, units],
    } as const;
    const hash = await wallet.sendTransaction({
      chain: null,
      ...(contract === null
        ? { to: to as Address, value: units }
        : { to: contract as Address, data: encodeFunctionData(transfer) }),
    });
    const { status } = await chain.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`the delivery ${hash} reverted`);
    return hash;
  };
  return (delivery) => {
    const sent = previous.then(() => deliver(delivery));
    previous = sent.catch(() => undefined);
    return sent;
  };
}
