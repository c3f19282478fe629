import { compareDecimals } from '@bascule/amounts';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { CustomActions, Quote, QuoteRequest } from '@bascule/contracts';
import { developmentAddresses } from '@bascule/solidity';
import { expect } from '@jest/globals';
import { encodeFunctionData, erc20Abi, isAddressEqual, zeroAddress, type Address } from 'viem';
import {
  changesOf,
  errorsOf,
  type ContractStage,
  type RequestForm,
  type Rows,
} from './contract-stage.js';

type Action = CustomActions['actions'][number];

const SPENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const MAX_GAS = 3_000_000;
const ACTIONS = ['request', 'custom_actions', 'actions'];

const addressOf = (stage: ContractStage, symbol: string): Address =>
  parseTokenIdentifier(stage.token(symbol)).address;

const call = (target: Address, calldata: string, value = '0'): Action => ({
  ...{ type: 'CallImmediateAction', target, value, calldata },
});

const erc20Call = (
  stage: ContractStage,
  symbol: string,
  functionName: 'approve' | 'transfer',
  units: bigint,
): Action =>
  call(
    addressOf(stage, symbol),
    encodeFunctionData({ abi: erc20Abi, functionName, args: [SPENDER, units] }),
  );

const approval = (stage: ContractStage, symbol = 'USDC', units = 1n): Action =>
  erc20Call(stage, symbol, 'approve', units);

/** Fields of a request with these actions. */
const acting = (actions: object[], user_estimated_gas = '200000') => ({
  custom_actions: { actions, user_estimated_gas },
});

const networkFees = async (stage: ContractStage, body: object): Promise<string> =>
  (await stage.quote(body)).quote.fees.network_fees;

/** Effects of custom actions, as the route shows them. */
const effectsOf = ({ route }: Quote) =>
  changesOf(route, 'produce', 'DEST')
    .filter(({ resource }) => resource.property !== 'BALANCE')
    .map(({ resource, amount }) => [resource.asset, resource.property, amount]);

/** Path of the first error of a quote request that is refused. */
const refusedPath = async (stage: ContractStage, body: object) => {
  const answer = await stage.ask(body);
  expect(answer.status).toBe(400);
  return errorsOf(answer)[0]?.path;
};

const kindRows = (form: RequestForm, other: RequestForm): Rows => ({
  'selects the fields of the request': async (stage) => {
    const { request } = stage[other]('WETH');
    const { kind } = stage[form]('WETH').request;
    const path = await refusedPath(stage, { request: { ...request, kind } });
    expect(path).toEqual([
      'request',
      form === 'fixedInput' ? 'fixed_input_amount' : 'fixed_output_amount',
    ]);
  },
});

const destinationRows = (form: RequestForm): Rows => ({
  'is a destination that can be paid': async (stage) => {
    const to = (dest_address: string) => stage.quotes(stage[form]('ETH', { dest_address }));
    expect((await to(stage.user.destination)).quotes).toHaveLength(1);
    const { quotes, fault } = await to(addressOf(stage, 'USDC'));
    expect([quotes, fault?.kind]).toEqual([[], 'destination']);
  },
});

const customActionsRows = (form: RequestForm): Rows => ({
  'run on the output, and charge their gas': async (stage) => {
    const body = stage[form]('USDC', acting([approval(stage)]));
    const { quote } = await stage.quote(body);
    expect(effectsOf(quote)).toEqual([[stage.token('USDC'), 'APPROVAL', '0.000001']]);
    const plain = await networkFees(stage, stage[form]('USDC'));
    expect(compareDecimals(quote.fees.network_fees, plain)).toBe(1);
  },
});

type Forms = { [Form in QuoteRequest['request'] as Form['kind']]: Record<keyof Form, Rows> };

/** Rows of `request` of `POST /payments/quotes`: every field of its forms. */
export const REQUEST_ROWS = {
  FIXED_INPUT: {
    kind: kindRows('fixedInput', 'fixedOutput'),
    fixed_input_amount: {
      'is exactly what the user gives': async (stage) => {
        const { quote } = await stage.quote(stage.swap({}, '25.5'));
        expect(changesOf(quote.route, 'consume', 'USER')).toEqual([
          expect.objectContaining({
            amount: '25.5',
            resource: { asset: stage.token('USDC'), property: 'BALANCE' },
          }),
        ]);
      },
    },
    output_asset: {
      'is what the destination gets': async (stage) => {
        for (const symbol of ['WETH', 'ETH', 'USDC']) {
          const { quote } = await stage.quote(stage.fixedInput(symbol));
          expect(changesOf(quote.route, 'produce', 'DEST')).toEqual([
            expect.objectContaining({
              amount: quote.output_amount.amount,
              resource: { asset: stage.token(symbol), property: 'BALANCE' },
            }),
          ]);
        }
      },
    },
    dest_address: destinationRows('fixedInput'),
    custom_actions: customActionsRows('fixedInput'),
  },
  FIXED_OUTPUT: {
    kind: kindRows('fixedOutput', 'fixedInput'),
    fixed_output_amount: {
      'is exactly the declared minimum': async (stage) => {
        const payment = await stage.payment(stage.fixedOutput('WETH'));
        expect(payment.declaration.legs.at(-1)?.min_output).toBe('10000000000000000');
        expect(compareDecimals(payment.quoted.output_amount.amount, '0.01')).toBe(1);
      },
    },
    input_asset: {
      'is what the user gives': async (stage) => {
        for (const symbol of ['USDC', 'ETH']) {
          const input_asset = stage.token(symbol);
          const { quote } = await stage.quote(stage.fixedOutput('WBTC', { input_asset }));
          expect(changesOf(quote.route, 'consume', 'USER')).toMatchObject([
            { resource: { asset: input_asset, property: 'BALANCE' } },
          ]);
        }
      },
    },
    dest_address: destinationRows('fixedOutput'),
    custom_actions: customActionsRows('fixedOutput'),
  },
} satisfies Forms;

/** Rows of `custom_actions` of `POST /payments/quotes`: its fields, and those of each action. */
export const CUSTOM_ACTION_ROWS = {
  actions: {
    'are declared as given, in their order': async (stage) => {
      const actions = [approval(stage, 'WETH', 7n), approval(stage, 'USDC', 8n)];
      const dest_address = stage.user.destination;
      const body = stage.fixedInput('USDC', { dest_address, ...acting(actions) });
      const { declaration } = await stage.payment(body);
      const calls = declaration.legs.at(-1)?.custom_calls ?? [];
      expect(calls.map(({ data, value }) => [data, value])).toEqual(
        actions.map(({ calldata, value }) => [calldata, value]),
      );
      const isSame = calls.map(({ target }, index) =>
        isAddressEqual(target as Address, (actions[index]?.target ?? zeroAddress) as Address),
      );
      expect(isSame).toEqual([true, true]);
    },
    'are at most 16': async (stage) => {
      const body = (count: number) =>
        stage.fixedInput('USDC', acting(Array<Action>(count).fill(approval(stage))));
      expect((await stage.ask(body(16))).status).toBe(200);
      expect(await refusedPath(stage, body(17))).toEqual(ACTIONS);
    },
  },
  type: {
    'is refused when unknown': async (stage) => {
      const body = stage.fixedInput('USDC', acting([{ ...approval(stage), type: 'Delegate' }]));
      expect(await refusedPath(stage, body)).toEqual([...ACTIONS, 0, 'type']);
    },
  },
  target: {
    'is the contract that is called': async (stage) => {
      for (const symbol of ['USDC', 'WETH']) {
        const body = stage.fixedInput('USDC', acting([approval(stage, symbol)]));
        const [effect] = effectsOf((await stage.quote(body)).quote);
        expect(effect?.slice(0, 2)).toEqual([stage.token(symbol), 'APPROVAL']);
      }
    },
    'is none of our contracts': async (stage) => {
      const actions = [call(developmentAddresses.executor, '0x12345678')];
      const path = await refusedPath(stage, stage.fixedInput('USDC', acting(actions)));
      expect(path).toEqual([...ACTIONS, 0, 'target']);
    },
  },
  value: {
    'is paid from native output, at most the minimum': async (stage) => {
      const sending = (wei: string) =>
        stage.fixedInput('ETH', acting([call(stage.user.destination, '0x', wei)]));
      const { quote } = await stage.quote(sending('1000000000000000'));
      expect(effectsOf(quote)).toEqual([[stage.token('ETH'), 'SIDE_EFFECT', '0.001']]);
      const { quotes, fault } = await stage.quotes(sending('1000000000000000000'));
      expect([quotes, fault?.kind]).toEqual([[], 'other']);
    },
    'needs native currency as output': async (stage) => {
      const actions = [call(stage.user.destination, '0x', '1')];
      const path = await refusedPath(stage, stage.fixedInput('USDC', acting(actions)));
      expect(path).toEqual([...ACTIONS, 0, 'value']);
    },
  },
  calldata: {
    'is run': async (stage) => {
      const spends = (units: bigint) =>
        stage.quotes(
          stage.fixedInput('USDC', acting([erc20Call(stage, 'USDC', 'transfer', units)])),
        );
      expect((await spends(20_000_000n)).quotes).toHaveLength(1);
      // More than the output.
      const { quotes, fault } = await spends(30_000_000n);
      expect([quotes, fault?.kind]).toEqual([[], 'other']);
    },
    'is the call of a function, or empty': async (stage) => {
      const body = stage.fixedInput('USDC', acting([call(addressOf(stage, 'USDC'), '0x12')]));
      expect(await refusedPath(stage, body)).toEqual([...ACTIONS, 0, 'calldata']);
    },
  },
  user_estimated_gas: {
    'is charged': async (stage) => {
      const fees = (gas: string) =>
        networkFees(stage, stage.fixedInput('USDC', acting([approval(stage)], gas)));
      expect(compareDecimals(await fees('400000'), await fees('200000'))).toBe(1);
    },
    'has a cap': async (stage) => {
      const body = (gas: number) =>
        stage.fixedInput('USDC', acting([approval(stage)], String(gas)));
      expect((await stage.ask(body(MAX_GAS))).status).toBe(200);
      const path = await refusedPath(stage, body(MAX_GAS + 1));
      expect(path).toEqual(['request', 'custom_actions', 'user_estimated_gas']);
    },
  },
} satisfies Record<keyof CustomActions | keyof Action, Rows>;
