import { Chains, parseChainsConfig } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { startService } from '@bascule/service-host';
import type { RunningService } from '@bascule/service-host';
import { developmentAccounts, rpcCall } from '@bascule/local-stack';
import {
  developmentAddresses,
  intentEscrowAbi,
  orderId,
  parseOrder,
  refundText,
} from '@bascule/solidity';
import { createServiceDatabase, eventually, startTestChain } from '@bascule/testing';
import type { ServiceDatabase, TestChain } from '@bascule/testing';
import { createBridges, parseBridges } from '@bascule/venues';
import type { Bridge, BridgeTransfer, BridgeTransferStatus } from '@bascule/venues';
import {
  createTestClient,
  createWalletClient,
  encodeEventTopics,
  erc20Abi,
  getAbiItem,
  http,
  parseEther,
  publicActions,
} from 'viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { solverService } from '../index.js';
import { AttesterStandIns } from './test-attester.fixture.js';
import type { RpcLog } from './lying-node.fixture.js';

const { usdc, usdt, intentEscrow: escrow } = developmentAddresses;
const [faucet, , , , , , , solver] = developmentAccounts;

export const USDC = usdc;
export const USDT = usdt;
export const ESCROW = escrow;
export const SOLVER: Address = solver.address;
export const API_KEY = 'key of the solver';

type ChainName = 'alphanet' | 'betanet';

/** Order to open. */
interface Opening {
  from?: ChainName;
  amount: bigint;
  /** By default what the solver would deliver. */
  minimum?: bigint;
  outputToken?: Address;
}

export interface Opened {
  /** Wallet that opened the order and receives the fill. */
  wallet: PrivateKeyAccount;
  transfer: BridgeTransfer;
}

/** Solver with a real database and two real chains, and a wallet that bridges. */
export class SolverStage {
  private readonly services = new Set<RunningService>();

  private constructor(
    readonly chains: Chains,
    readonly nodes: Record<ChainName, ReturnType<typeof testClient>>,
    readonly attesters: AttesterStandIns,
    readonly database: ServiceDatabase,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly servers: readonly TestChain[],
  ) {}

  static async start(): Promise<SolverStage> {
    const [alphanet, betanet, database] = await Promise.all([
      startTestChain({ name: 'alphanet', chainId: 31337 }),
      startTestChain({ name: 'betanet', chainId: 31338 }),
      createServiceDatabase('solver'),
    ]);
    const chainsEnvironment = {
      CHAINS: 'alphanet,betanet',
      RPC_URLS_ALPHANET: alphanet.rpcUrl,
      RPC_URLS_BETANET: betanet.rpcUrl,
      CONFIRMATIONS_ALPHANET: '1',
      CONFIRMATIONS_BETANET: '1',
    };
    const chains = new Chains(parseChainsConfig(chainsEnvironment));
    const attesters = await AttesterStandIns.start(() => chains.all());
    const environment = {
      ...chainsEnvironment,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      ENVIRONMENT: 'test',
      DATABASE_URL: database.database.url,
      SHUTDOWN_GRACE_MS: '0',
      SOLVER_PRIVATE_KEY: solver.privateKey,
      SOLVER_API_KEY: API_KEY,
      SOLVER_ASSETS: JSON.stringify([
        { tokens: { alphanet: usdc, betanet: usdc }, flat_fee: '10000', min_amount: '1000000' },
      ]),
      SOLVER_CONTROL: 'true',
      ATTESTER_URLS: attesters.urls,
    };
    await solverService.migrate?.(solverService.parseConfig(environment));
    const nodes = { alphanet: testClient(alphanet.rpcUrl), betanet: testClient(betanet.rpcUrl) };
    return new SolverStage(chains, nodes, attesters, database, environment, [alphanet, betanet]);
  }

  async stop(): Promise<void> {
    await this.stopProcesses();
    await this.attesters.stop();
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.database.drop();
  }

  /** Starts the solver and waits until its scan of the chains is up to date. */
  async startProcess(overrides: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const service = await startService(solverService, { ...this.environment, ...overrides });
    this.services.add(service);
    await eventually(async () => {
      const [row] = await this.sql<{ missing: string }>(
        `SELECT (SELECT count(*) FROM allowances WHERE due_at IS NOT NULL)
           + (SELECT 2 - count(block_hash) FROM order_cursors
              WHERE caught_up_at > now() - interval '30 seconds') AS missing`,
      );
      if (Number(row?.missing) > 0) throw new Error('scan is not up to date');
    });
    return service;
  }

  async stopProcess(service: RunningService): Promise<void> {
    this.services.delete(service);
    await service.shutdown({ graceMs: 0, deadlineMs: 8_000 });
  }

  async stopProcesses(): Promise<void> {
    await Promise.all([...this.services].map((service) => this.stopProcess(service)));
  }

  /** Expires the leases of a crashed process. */
  async letLeasesRunOut(): Promise<void> {
    for (const table of ['orders', 'order_cursors', 'chain_transactions']) {
      await this.sql(`UPDATE ${table} SET due_at = now() WHERE due_at > now()`);
    }
  }

  async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.rows<Row>(text, values);
  }

  /** Bridge as `quote` and `payment` use it. */
  bridge(service: RunningService, apiKey = API_KEY): Bridge {
    const config = { name: 'intent_escrow', adapter: 'intent-escrow', solver_url: service.url };
    const text = JSON.stringify([{ ...config, api_key: apiKey }]);
    const [bridge] = createBridges(parseBridges(text), this.chains);
    if (!bridge) throw new Error('no bridge');
    return bridge;
  }

  async control(service: RunningService, behaviour: object): Promise<Response> {
    return fetch(`${service.url}/v1/control`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(behaviour),
    });
  }

  /** Opens an order from a new, funded wallet; mined when it returns. */
  async open(service: RunningService, opening: Opening): Promise<Opened> {
    const { origin, destination } = this.ends(opening.from);
    const wallet = privateKeyToAccount(generatePrivateKey());
    const client = this.wallet(origin, wallet);
    const node = this.nodes[origin.name as ChainName];
    await node.setBalance({ address: wallet.address, value: parseEther('1') });
    await this.pay(origin.name as ChainName, wallet.address, opening.amount);
    const approval = await client.writeContract({
      address: usdc,
      abi: erc20Abi,
      functionName: 'approve',
      args: [escrow, opening.amount],
    });
    await this.mined(node, approval);
    const hash = await client.writeContract({
      address: escrow,
      abi: intentEscrowAbi,
      functionName: 'bridge',
      // An order that is released meanwhile makes it dearer than its estimate.
      gas: 400_000n,
      args: [
        {
          token: usdc,
          amount: opening.amount,
          destinationChainId: BigInt(destination.chainId),
          destinationToken: opening.outputToken ?? usdc,
          minimum: opening.minimum ?? delivered(opening.amount),
          owner: wallet.address,
        },
      ],
    });
    const receipt = await this.mined(node, hash);
    const transfer = await this.bridge(service).opened(
      { origin, destination },
      receipt.logs,
      wallet.address,
    );
    if (!transfer) throw new Error('no order was opened');
    return { wallet, transfer };
  }

  async status(service: RunningService, transfer: BridgeTransfer): Promise<BridgeTransferStatus> {
    return this.bridge(service).status(transfer, this.endsOf(transfer));
  }

  endsOf({ originChain, destinationChain }: BridgeTransfer) {
    return {
      origin: this.chains.get(originChain),
      destination: this.chains.get(destinationChain),
    };
  }

  ends(from: ChainName = 'alphanet') {
    const to = from === 'alphanet' ? 'betanet' : 'alphanet';
    return { origin: this.chains.get(from), destination: this.chains.get(to) };
  }

  /** The owner takes an order back, with the smallest of fees for the solver. */
  async refund(
    { details: body, originChain }: BridgeTransfer,
    owner: PrivateKeyAccount,
    recipient: Address,
  ): Promise<Hex> {
    const chain = this.chains.get(originChain);
    const node = this.nodes[originChain as ChainName];
    const order = parseOrder(body);
    const { timestamp } = await node.getBlock();
    const instruction = {
      recipient,
      feeReceiver: SOLVER,
      fee: 3n,
      validUntil: timestamp + 600n,
    };
    const signature = await owner.signMessage({ message: refundText(order, instruction, escrow) });
    const hash = await this.wallet(chain, owner).writeContract({
      address: escrow,
      abi: intentEscrowAbi,
      functionName: 'refund',
      args: [order, instruction, signature],
    });
    await this.mined(node, hash);
    return hash;
  }

  async row({ id }: { id: Hex }): Promise<{ status: string; reason: string | null }> {
    const [row] = await this.sql<{ status: string; reason: string | null }>(
      'SELECT status, reason FROM orders WHERE id = $1',
      [id],
    );
    return row ?? { status: 'UNSEEN', reason: null };
  }

  /** Waits until the solver has made that of the order. */
  async becomes(transfer: { id: Hex }, status: string): Promise<void> {
    await eventually(async () => {
      const row = await this.row(transfer);
      if (row.status !== status) throw new Error(`order is ${row.status} (${row.reason})`);
    });
  }

  /** Counts the escrow's payments to an order's recipient and to its filler. */
  async effects({ id, originChain, destinationChain }: BridgeTransfer) {
    const count = async (chain: string, name: 'Filled' | 'Released'): Promise<number> => {
      const logs = await this.nodes[chain as ChainName].getLogs({
        address: escrow,
        event: getAbiItem({ abi: intentEscrowAbi, name }),
        args: { orderId: id },
        fromBlock: 0n,
      });
      return logs.length;
    };
    return {
      filled: await count(destinationChain, 'Filled'),
      released: await count(originChain, 'Released'),
    };
  }

  balance(chain: string, holder: Address, token: Address = usdc): Promise<bigint> {
    return this.nodes[chain as ChainName].readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [holder],
    });
  }

  /** Returns the key of a solver that owns this much of the token on betanet, and coins for gas. */
  async poorSolver(owned: bigint): Promise<Hex> {
    const privateKey = generatePrivateKey();
    const address = privateKeyToAddress(privateKey);
    for (const node of Object.values(this.nodes)) {
      await node.setBalance({ address, value: 10n ** 18n });
    }
    await this.pay('betanet', address, owned);
    return privateKey;
  }

  /** Transfers tokens from a rich account and waits until they are mined. */
  async pay(chain: ChainName, to: Address, amount: bigint): Promise<void> {
    const hash = await this.wallet(
      this.chains.get(chain),
      privateKeyToAccount(faucet.privateKey),
    ).writeContract({
      address: usdc,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [to, amount],
      // A fill may empty the receiver after an estimate, and the transfer then costs more gas.
      gas: 100_000n,
    });
    await this.mined(this.nodes[chain], hash);
  }

  wallet(
    {
      anyNode: {
        client: { chain },
      },
    }: Chain,
    account: PrivateKeyAccount,
  ) {
    const [url] = chain.rpcUrls.default.http;
    return createWalletClient({ account, chain, transport: http(url), cacheTime: 0 });
  }

  async mined(node: ReturnType<typeof testClient>, hash: Hex) {
    const receipt = await node.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    if (receipt.status !== 'success') throw new Error(`${hash} was reverted`);
    return receipt;
  }

  /** The log of an order's opening, as its chain's nodes send it. */
  async openLog({ id, originChain }: BridgeTransfer): Promise<RpcLog> {
    const [topic] = encodeEventTopics({ abi: intentEscrowAbi, eventName: 'Open' });
    const [log] = (await rpcCall(this.rpcUrl(originChain), 'eth_getLogs', [
      { address: escrow, fromBlock: '0x0', topics: [topic, id] },
    ])) as RpcLog[];
    if (!log) throw new Error(`${originChain} has no order ${id}`);
    return log;
  }

  rpcUrl(chain: string): string {
    const [url] = this.chains.get(chain).anyNode.client.chain.rpcUrls.default.http;
    if (url === undefined) throw new Error(`${chain} has no endpoint`);
    return url;
  }

  /** On both chains alike. */
  async passTime(seconds: number): Promise<void> {
    for (const node of Object.values(this.nodes)) {
      await node.increaseTime({ seconds });
      await node.mine({ blocks: 1 });
    }
  }
}

/** Output for an amount, with the fees of the stage. */
export const delivered = (amount: bigint): bigint => (amount * 9_995n) / 10_000n - 10_000n;

export const idOf = ({ details: order }: BridgeTransfer): Hex => orderId(parseOrder(order), escrow);

const testClient = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions);
