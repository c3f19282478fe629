import { tokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import { developmentAddresses, type Declaration, type Leg, type Order } from '@bascule/solidity';
import { zeroAddress, type Address, type Hex } from 'viem';
import type { ChainRecord, Transfer } from '../chain-record.js';
import type { DatabaseRows } from '../database-rows.js';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;

export const PAYMENT_ID = '01990000-0000-7000-8000-000000000001';
const [WALLET, OWNER, DESTINATION, FEES, FILLER, CONVERTER] = [
  ...['a', 'b', 'c', 'd', 'e', 'f'],
].map(address) as [Address, Address, Address, Address, Address, Address];
export { DESTINATION, FILLER, OWNER, WALLET };
const [DEPOSIT, FIRST_LEG, FILL, LAST_LEG] = ['1', '2', '3', '4'].map(hash) as [Hex, Hex, Hex, Hex];
const { usdc, weth } = developmentAddresses;
const escrow = developmentAddresses.intentEscrow.toLowerCase() as Address;
export const ORDER_ID = hash('9');

const ALPHANET = { name: 'alphanet', chainId: 31_337 };
const BETANET = { name: 'betanet', chainId: 31_338 };

export const usdcHere = tokenIdentifier('alphanet', usdc);
export const wethHere = tokenIdentifier('alphanet', weth);
export const usdcThere = tokenIdentifier('betanet', usdc);
export const wethThere = tokenIdentifier('betanet', weth);

const aLeg = (chainId: number, inputToken: Address, outputToken: Address): Leg => ({
  chainId: BigInt(chainId),
  inputToken,
  maxInput: 1_000n,
  fees: [],
  outputToken,
  minOutput: 90n,
  customCalls: [],
  bridgeAdapter: zeroAddress,
  minBridged: 0n,
});

/** WETH to WETH, by USDC that a bridge carries. */
export const declaration: Declaration = {
  factory: zeroAddress,
  paymentId: hash('5'),
  owner: OWNER,
  executor: zeroAddress,
  destination: DESTINATION,
  expiry: 0n,
  legs: [
    { ...aLeg(ALPHANET.chainId, weth, usdc), bridgeAdapter: escrow, minBridged: 195n },
    aLeg(BETANET.chainId, usdc, weth),
  ],
};

export const order: Order = {
  wallet: WALLET,
  owner: OWNER,
  originChainId: BigInt(ALPHANET.chainId),
  inputToken: usdc,
  inputAmount: 200n,
  destinationChainId: BigInt(BETANET.chainId),
  outputToken: usdc,
  recipient: WALLET,
  minimum: 195n,
  nonce: 1n,
  fillDeadline: 1_000n,
  expires: 2_000n,
  oracle: zeroAddress,
};

const moved = (
  token: TokenIdentifier,
  from: Address,
  to: Address,
  units: bigint,
  inTransaction: Hex,
): Transfer => ({ token, from, to, units, hash: inTransaction });

type Balances = Record<string, bigint>;

const seen = ({ name, chainId }: typeof ALPHANET, balances: Balances): ChainRecord['chain'] => ({
  name,
  chainId,
  balance: (token, holder) => Promise.resolve(balances[`${token} ${holder.toLowerCase()}`] ?? 0n),
});

/** A payment that crossed, as the chains have it: 100 given, 200 sent across, 198 delivered, 95 paid out. */
export function crossedRecords(balances: Balances = {}): [ChainRecord, ChainRecord] {
  const empty = { time: 1_001n, withdrawals: [], orders: [], fills: [], closings: [] };
  return [
    {
      ...empty,
      chain: seen(ALPHANET, balances),
      transfers: [
        moved(wethHere, OWNER, WALLET, 100n, DEPOSIT),
        moved(wethHere, WALLET, FEES, 3n, FIRST_LEG),
        moved(wethHere, WALLET, CONVERTER, 97n, FIRST_LEG),
        moved(usdcHere, CONVERTER, WALLET, 200n, FIRST_LEG),
        moved(usdcHere, WALLET, escrow, 200n, FIRST_LEG),
      ],
      legs: [{ wallet: WALLET, hash: FIRST_LEG, amount: 97n, fees: [3n], output: 200n }],
      orders: [{ id: ORDER_ID, wallet: WALLET, hash: FIRST_LEG, order }],
      closings: [{ orderId: ORDER_ID, to: 'filler', receiver: FILLER, amount: 200n }],
    },
    {
      ...empty,
      chain: seen(BETANET, balances),
      transfers: [
        moved(usdcThere, FILLER, WALLET, 198n, FILL),
        moved(usdcThere, WALLET, FEES, 2n, LAST_LEG),
        moved(usdcThere, WALLET, CONVERTER, 196n, LAST_LEG),
        moved(wethThere, CONVERTER, DESTINATION, 95n, LAST_LEG),
      ],
      legs: [{ wallet: WALLET, hash: LAST_LEG, amount: 196n, fees: [2n], output: 95n }],
      fills: [{ orderId: ORDER_ID, filler: FILLER, amount: 198n, hash: FILL }],
    },
  ];
}

/** The same payment in the databases of the services. */
export function crossedRows(): DatabaseRows {
  const paymentId = PAYMENT_ID;
  return {
    payments: [
      {
        id: paymentId,
        status: 'COMPLETE',
        version: 1,
        legTokens: [
          { input: wethHere, output: usdcHere },
          { input: usdcThere, output: wethThere },
        ],
      },
    ],
    deposits: [
      {
        paymentId,
        token: wethHere,
        amount: '100',
        hash: DEPOSIT,
        blockNumber: '50',
        confirmed: true,
      },
      { paymentId, token: usdcThere, amount: '198', hash: FILL, blockNumber: '7', confirmed: true },
    ],
    legs: [
      {
        paymentId,
        index: 0,
        status: 'COMPLETE',
        hash: FIRST_LEG,
        settlement: { input: '97', fees: ['3'], output: '200', blockNumber: '52' },
        transfer: {
          transfer: { id: ORDER_ID },
          status: 'FILLED',
          filled: { amount: '198', transactionHash: FILL },
        },
      },
      {
        paymentId,
        index: 1,
        status: 'COMPLETE',
        hash: LAST_LEG,
        settlement: { input: '196', fees: ['2'], output: '95', blockNumber: '9' },
        transfer: null,
      },
    ],
    paymentWithdrawals: [],
    withdrawals: [],
    deliveries: [],
    solverOrders: [{ id: ORDER_ID, status: 'CLAIMED' }],
  };
}
