import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseAbi,
  type Address,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

interface Endowment {
  rpcUrl: string;
  /** Owner of the aggregator's contract, which holds tokens. */
  privateKey: Hex;
  contract: Address;
  token: Address;
  /** Least balance of the contract. */
  amount: bigint;
  /** Share of the output that it pays in this token: above ten thousand, better than the pools. */
  payoutBps: bigint;
}

const aggregatorAbi = parseAbi(['function setPayout(address outputToken, uint256 bps)']);

/** Gives an aggregator's contract tokens of its own, and lets it pay more or less than the pools. */
export async function endowAggregator(endowment: Endowment): Promise<void> {
  const { rpcUrl, privateKey, contract, token, amount, payoutBps } = endowment;
  const chain = createPublicClient({ transport: http(rpcUrl), pollingInterval: 100 });
  const owner = createWalletClient({
    account: privateKeyToAccount(privateKey),
    transport: http(rpcUrl),
  });
  const send = async (to: Address, data: Hex): Promise<void> => {
    const hash = await owner.sendTransaction({ chain: null, to, data });
    const { status } = await chain.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`the transaction ${hash} reverted`);
  };
  const balance = await chain.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [contract],
  });
  if (balance < amount) {
    const args = [contract, amount - balance] as const;
    await send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }));
  }
  const args = [token, payoutBps] as const;
  await send(contract, encodeFunctionData({ abi: aggregatorAbi, functionName: 'setPayout', args }));
}
