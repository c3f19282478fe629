import { parseTokenIdentifier, tokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  isAddressEqual,
  parseUnits,
  formatUnits,
  zeroAddress,
  type Address,
  type Hex,
  type PrivateKeyAccount,
  type TransactionReceipt,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Stack } from './stack.js';

const GAS_MONEY = 10n ** 18n;

export interface Call {
  to: Address;
  data?: Hex;
  value?: bigint;
}

/** One of the stack's chains, seen through its RPC endpoint only. */
export class Chain {
  readonly name: string;
  readonly chainId: number;
  readonly client;
  readonly faucet: PrivateKeyAccount;
  readonly #tokens: Record<string, string>;
  readonly #rpcUrl: string;

  constructor(stack: Stack, name: string) {
    const chain = stack.chains[name];
    if (!chain) throw new Error(`the stack has no chain ${name}`);
    this.name = name;
    this.chainId = chain.chain_id;
    this.faucet = privateKeyToAccount(chain.faucet_private_key as Hex);
    this.client = createPublicClient({ transport: http(chain.rpc_url), pollingInterval: 100 });
    this.#tokens = chain.tokens;
    this.#rpcUrl = chain.rpc_url;
  }

  /** `USDC` or, for the native currency, `ETH`. */
  token(symbol: string): TokenIdentifier {
    if (symbol === 'ETH') return tokenIdentifier(this.name, zeroAddress);
    const address = this.#tokens[symbol];
    if (!address) throw new Error(`${this.name} has no ${symbol}`);
    return tokenIdentifier(this.name, address);
  }

  async decimals(token: TokenIdentifier): Promise<number> {
    const { address } = parseTokenIdentifier(token);
    if (isAddressEqual(address, zeroAddress)) return 18;
    return this.client.readContract({ address, abi: erc20Abi, functionName: 'decimals' });
  }

  async units(token: TokenIdentifier, amount: string): Promise<bigint> {
    return parseUnits(amount, await this.decimals(token));
  }

  async amount(token: TokenIdentifier, units: bigint): Promise<string> {
    return formatUnits(units, await this.decimals(token));
  }

  balance(token: TokenIdentifier, holder: Address): Promise<bigint> {
    const { address } = parseTokenIdentifier(token);
    if (isAddressEqual(address, zeroAddress)) return this.client.getBalance({ address: holder });
    const args = [holder] as const;
    return this.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args });
  }

  /** Sends and waits until it is mined. */
  async send(account: PrivateKeyAccount, call: Call): Promise<TransactionReceipt> {
    const wallet = createWalletClient({ account, transport: http(this.#rpcUrl) });
    const gas = await this.estimateGas(account, call);
    const hash = await wallet.sendTransaction({ ...call, gas, chain: null });
    const receipt = await this.client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`);
    return receipt;
  }

  /** Twice the estimate: a transfer to a wallet that is emptied before it is mined costs more gas. */
  protected async estimateGas({ address }: PrivateKeyAccount, call: Call): Promise<bigint> {
    return 2n * (await this.client.estimateGas({ account: address, ...call }));
  }

  transfer(account: PrivateKeyAccount, token: TokenIdentifier, to: Address, units: bigint) {
    const { address } = parseTokenIdentifier(token);
    if (isAddressEqual(address, zeroAddress)) return this.send(account, { to, value: units });
    const args = [to, units] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    return this.send(account, { to: address, data });
  }

  /** Gives a user the token, and native currency for gas. */
  async endow(user: Address, token: TokenIdentifier, units: bigint): Promise<void> {
    await this.send(this.faucet, { to: user, value: GAS_MONEY });
    await this.transfer(this.faucet, token, user, units);
  }
}
