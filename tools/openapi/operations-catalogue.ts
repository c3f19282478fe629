import { EXAMPLE } from './example-values.js';
import { json } from './operation.js';
import type { Operation } from './operation.js';

export const CATALOGUE_OPERATIONS = {
  'GET /assets': {
    id: 'listAssets',
    tag: 'Catalogue',
    summary: 'List assets',
    description: 'Fiat currencies and tokens with their names and decimals.',
    query: 'AssetsQueryDto',
    success: json('AssetsResponse', 'Assets by fiat code or token identifier.'),
    isCacheable: true,
    example: { query: { 'assets[]': ['EUR', EXAMPLE.token] } },
  },
  'GET /chains': {
    id: 'listChains',
    tag: 'Catalogue',
    summary: 'List chains',
    description: 'Chains with their ids, explorers and public RPC endpoints.',
    query: 'ChainsQueryDto',
    success: json('ChainsResponse', 'Chains by name.'),
    isCacheable: true,
    example: {},
  },
  'POST /prices': {
    id: 'listPrices',
    tag: 'Catalogue',
    summary: 'List prices of tokens',
    description:
      'Price of one unit of each token in the requested fiat. The fiat itself and `usd` are always there; a token ' +
      'without a fresh price is left out. The configured maximum number of tokens also applies.',
    body: 'PricesRequestDto',
    success: json('PricesResponse', 'Prices by fiat code or token identifier.'),
    example: { body: { fiat: 'EUR', tokens: [EXAMPLE.native, EXAMPLE.token] } },
  },
  'GET /geolocation': {
    id: 'locateAddress',
    tag: 'Catalogue',
    summary: 'Locate an IP address',
    description: 'Country and region of an IP address: of the caller when none is named.',
    query: 'GeolocationQueryDto',
    success: json('GeolocationResponse', 'Place, or null when the address has none.'),
    example: { query: { customer_ip_address: '81.2.69.142' } },
  },
  'GET /assets/available-outputs': {
    id: 'listAvailableOutputs',
    tag: 'Catalogue',
    summary: 'List outputs of inputs',
    description:
      'Assets that each input can become, by the routes that quotes use. An input without a route is left out.',
    query: 'AvailableOutputsQueryDto',
    success: json('AvailableAssetsResponse', 'Outputs by input.'),
    isCacheable: true,
    leavesOutPaused: true,
    example: { query: { 'inputs[]': ['usd'] } },
  },
  'GET /assets/available-inputs': {
    id: 'listAvailableInputs',
    tag: 'Catalogue',
    summary: 'List inputs of outputs',
    description:
      'Assets that can become each output, by the routes that quotes use. An output without a route is left out.',
    query: 'AvailableInputsQueryDto',
    success: json('AvailableAssetsResponse', 'Inputs by output.'),
    isCacheable: true,
    leavesOutPaused: true,
    example: { query: { 'outputs[]': [EXAMPLE.token] } },
  },
  'GET /payments/methods': {
    id: 'listPaymentMethods',
    tag: 'Catalogue',
    summary: 'List payment methods',
    description: 'Methods by which a user at that place can pay the fiat input, by provider.',
    query: 'MethodsQueryDto',
    success: json('PaymentMethodsResponse', 'Methods by provider.'),
    isCacheable: true,
    example: {
      query: { input: 'usd', output: EXAMPLE.token, customer_ip_address: '128.32.136.9' },
    },
  },
} as const satisfies Record<string, Operation>;
