import type { ChainsResponse, DepositInfo, SignatureType } from '@bascule/contracts';
import {
  createPublicClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  numberToHex,
  parseUnits,
  type Address,
  type EIP1193Provider,
  type Hex,
  type TypedDataDefinition,
} from 'viem';

interface WalletEvents {
  addEventListener(type: string, listener: (event: Event) => void): void;
  dispatchEvent(event: Event): boolean;
}
declare const window: WalletEvents;

type Announcement = Event & { detail: { info: { rdns: string }; provider: EIP1193Provider } };

const POLLING_MS = 200;

/** Finds the wallet that the browser has injected (EIP-6963). */
function announcedProvider(): EIP1193Provider {
  const announced: EIP1193Provider[] = [];
  window.addEventListener('eip6963:announceProvider', (event) => {
    announced.push((event as Announcement).detail.provider);
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const [provider] = announced;
  if (!provider) throw new Error('no wallet was announced');
  return provider;
}

/** The user's wallet as a page calls it (EIP-1193). */
export class PageWallet {
  readonly #provider = announcedProvider();
  readonly #client = createWalletClient({ transport: custom(this.#provider) });
  readonly #chain = createPublicClient({
    transport: custom(this.#provider),
    pollingInterval: POLLING_MS,
  });

  /** Asks the user to connect. */
  async accounts(): Promise<Address[]> {
    return [...(await this.#provider.request({ method: 'eth_requestAccounts' }))];
  }

  /** Signs typed data (EIP-712) or a message (EIP-191). */
  async sign(account: Address, type: SignatureType, payload: string): Promise<Hex> {
    if (type === 'EIP191') return this.#client.signMessage({ account, message: payload });
    const { types, ...typedData } = JSON.parse(payload) as TypedDataDefinition & {
      types: Record<string, unknown>;
    };
    const { EIP712Domain: _, ...signedTypes } = types;
    return this.#client.signTypedData({ account, ...typedData, types: signedTypes });
  }

  /** Sends a deposit, or another amount of its token, and waits until it is mined. */
  async pay(
    account: Address,
    { deposit_token, deposit_address, deposit_chain }: DepositInfo,
    { amount, decimals, chains }: { amount: string; decimals: number; chains: ChainsResponse },
  ): Promise<Hex> {
    const chainId = chains[deposit_chain]?.chain_id['#'];
    if (chainId === undefined) throw new Error(`the API lists no chain ${deposit_chain}`);
    await this.#provider.request({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: numberToHex(BigInt(chainId)) }],
    });
    const to = deposit_address as Address;
    const units = parseUnits(amount, decimals);
    const token = deposit_token.split(':')[1] as Hex;
    const call =
      token === '0x' ? { to, value: units } : { to: token, data: transferData(to, units) };
    const hash = await this.#client.sendTransaction({ account, chain: null, ...call });
    const { status } = await this.#chain.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`the deposit ${hash} reverted`);
    return hash;
  }
}

const transferData = (to: Address, units: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] });
