/** Examples that are written from the specification, one for each kind of answer. */
const USDC = 'alphanet:0x5fbdb2315678afecb367f032d93f642f64180aa3';
const WETH = 'alphanet:0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';
const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const DESTINATION = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const WALLET = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const FACTORY = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const PAYMENT = '01932b3c-5d6e-7f80-9a1b-2c3d4e5f6071';
const OLDER = '01932b3c-5d6e-7f80-9a1b-2c3d4e5f6070';
const PARENT = '01932b3c-5d6e-7f80-9a1b-2c3d4e5f6072';
const HASH = `0x${'ab'.repeat(32)}`;

type Example = Record<string, unknown>;

const change = (account: string, asset: string, amount: string, property = 'BALANCE') => ({
  account,
  resource: { asset, property },
  amount,
});

const fees = () => ({
  total_fees: '0.6',
  conversion_fees: '0.5',
  network_fees: '0.1',
  business_fees: '0',
  currency_symbol: 'usd',
});

/** Pays 100 dollars, of which 99.4 arrive. */
const onrampRoute = () => [
  {
    type: 'ONRAMP',
    net_effect: {
      consume: [change('USER', 'usd', '100')],
      produce: [change('SPW', USDC, '99.5')],
    },
    pieces_info: [{ type: 'onramp' }],
    step_index: 0,
  },
  {
    type: 'ONCHAIN_STEP',
    net_effect: {
      consume: [change('SPW', USDC, '99.5')],
      produce: [change('DEST', USDC, '99.4'), change('SERVICE', USDC, '0.1')],
    },
    pieces_info: [{ type: 'transfer_out' }],
    step_index: 1,
  },
];

/** Pays 100 USDC, of which 0.497 WETH arrive. */
const swapRoute = () => [
  {
    type: 'USER_FUND',
    net_effect: {
      consume: [change('USER', USDC, '100')],
      produce: [change('SPW', USDC, '100')],
    },
    pieces_info: [{ type: 'user_fund' }],
    step_index: 0,
  },
  {
    type: 'ONCHAIN_STEP',
    net_effect: {
      consume: [change('SPW', USDC, '100')],
      produce: [change('DEST', WETH, '0.497'), change('SERVICE', USDC, '0.1')],
    },
    pieces_info: [{ type: 'convert' }, { type: 'transfer_out' }],
    step_index: 1,
  },
];

const fulfilled = (route: ReturnType<typeof onrampRoute>, status: string) =>
  route.map((step) => {
    if (status !== 'COMPLETE') return { ...step, status };
    // Fiat has no transaction.
    const sent = (entry: ReturnType<typeof change>) =>
      entry.resource.asset === 'usd' ? entry : { ...entry, tx_id: HASH };
    const { consume, produce } = step.net_effect;
    const net_effect = { consume: consume.map(sent), produce: produce.map(sent) };
    return { ...step, net_effect, status, transaction_hash: HASH };
  });

export const assetsExample = (): Example => ({
  usd: {
    issuer: 'United States',
    name: 'US Dollar',
    symbol: 'USD',
    decimals: 2,
    image_url: 'https://assets.example/usd.svg',
    sign: '$',
  },
  'alphanet:0x': {
    chain: 'alphanet',
    address: '0x',
    name: 'Ether',
    symbol: 'ETH',
    decimals: 18,
    image_url: 'https://assets.example/eth.svg',
    is_native: true,
    wrapper: 'WETH',
  },
  [USDC]: {
    chain: 'alphanet',
    address: USDC.slice('alphanet:'.length),
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    image_url: 'https://assets.example/usdc.svg',
    is_native: false,
  },
  [WETH]: {
    chain: 'alphanet',
    address: WETH.slice('alphanet:'.length),
    name: 'Wrapped Ether',
    symbol: 'WETH',
    decimals: 18,
    image_url: 'https://[::1]/weth%20%5B1%5D.svg',
    is_native: false,
  },
});

export const chainsExample = (): Example => ({
  alphanet: {
    chain_id: { '#': '31337' },
    network: 'mainnet',
    native_currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    is_testnet: true,
    explorer: 'https://explorer.example/',
    image: 'https://assets.example/alphanet.svg',
    rpc: 'https://rpc.example',
    address_family: 'EVM',
  },
});

export const availableExample = (): Example => ({ usd: { fiats: [], tokens: [USDC, WETH] } });

export const pricesExample = (): Example => ({ eur: '1.0', usd: '0.92', [USDC]: '0.919' });

export const geolocationExample = (): Example => ({
  alpha3_country_code: 'GBR',
  state_code: 'ENG',
  default_currency: 'gbp',
});

export const methodsExample = (): Example => ({
  providers: { sandboxpay: ['CREDIT_CARD', 'SEPA'] },
});

export const timelineExample = (): Example => ({
  payment_id: PAYMENT,
  status: 'PENDING',
  waits_for: {
    kind: 'DEPOSIT',
    chain: 'alphanet',
    token: USDC,
    amount: '60',
    until: '2026-11-21T12:10:00.000Z',
  },
  funds: [{ place: 'WALLET', chain: 'alphanet', token: USDC, amount: '40' }],
  entries: [
    {
      sequence: 1,
      time: '2026-11-21T12:00:00.000Z',
      type: 'payment.confirmed',
      cause: 'client',
      trace_id: 'ab'.repeat(16),
      wallet_address: WALLET,
    },
    {
      sequence: 2,
      time: '2026-11-21T12:01:00.000Z',
      type: 'deposit.seen',
      cause: 'chain',
      chain: 'alphanet',
      token: USDC,
      amount: '40',
      transaction_hash: HASH,
      block_number: 11,
    },
  ],
  omitted: [{ type: 'deposit.seen', count: 3, last_time: '2026-11-21T12:02:00.000Z' }],
  next_pagination_key: '2',
});

export const validationExample = (): Example => ({
  errors: [
    { code: 'invalid_type', expected: 'string', path: ['fiat'], message: 'Expected a string.' },
    { code: 'custom', path: ['tokens', 0], message: 'Unknown chain.' },
  ],
});

const amountIssue = () => ({
  kind: 'amount',
  asset: 'usd',
  given: '1',
  limits: { min: '5' },
  source: 'sandboxpay',
  message: 'Given amount is 1 USD, the minimum is 5 USD.',
  reason: 'TOO_LOW',
});

export const issuesExample = (): Example => ({
  errors: [
    amountIssue(),
    { kind: 'owner', message: 'The owner must sign.', mitigation: 'verify' },
    { kind: 'org_configuration', message: 'The revenue share is too high.', total_pct: '3' },
    ...missentIssues(),
  ],
});

const missentIssues = () => [
  { kind: 'funding', token: WETH, balance: { '#': '12' } },
  {
    kind: 'parked_fund',
    token: WETH,
    balance: { '#': '12' },
    classification: 'MISSENT',
    severity: 'HIGH',
    payment_gist: { op: 'buy', destination_address: DESTINATION, destination_token: USDC },
    withdraw_from: { withdraw_type: 'PAYMENT', payment_id: PARENT, withdraw_account: 'SPW' },
  },
];

export const balancesExample = (): Example => ({
  balance_results: [
    {
      address: DESTINATION,
      token: USDC,
      value: {
        kind: 'amount',
        amount: '40',
        withdrawal_fee: '0.2',
        min_withdrawal_amount: '0.200001',
      },
      withdraw_account: 'SPW',
      account: 'spw',
    },
    { address: DESTINATION, token: WETH, value: { kind: 'error' } },
  ],
  future_withdrawable_balances: [],
});

export const parkedFundsExample = (): Example => ({
  issues: missentIssues().slice(1),
  next_pagination_key: `${PARENT}_2026-11-24T12:00:00.000Z`,
  unread_chains: ['betanet'],
});

const onrampRequest = () => ({
  request: {
    kind: 'FIXED_INPUT',
    fixed_input_amount: { asset: 'usd', amount: '100' },
    output_asset: USDC,
  },
  onramps: ['sandboxpay'],
});

export const quotesExample = (): Example => ({
  quote_request: onrampRequest(),
  quotes: [
    {
      output_amount: { asset: USDC, amount: '99.4' },
      fees: fees(),
      route: onrampRoute(),
      payment_id: PAYMENT,
      onramp: 'sandboxpay',
      onramp_method: 'CREDIT_CARD',
      latency_seconds: 90,
    },
    {
      output_amount: { asset: USDC, amount: '99.4' },
      fees: fees(),
      route: onrampRoute(),
      payment_id: PARENT,
      onramp: 'sandboxpay',
      onramp_method: 'SEPA',
      latency_seconds: 9000,
    },
  ],
  current_prices: { usd: '1.0', [USDC]: '1' },
  price_currency: 'usd',
  state_token: 'opaque',
  quoted_at: '2026-11-23T10:00:00.000Z',
  accept_by: '2026-11-23T10:05:00.000Z',
  fault: null,
  failures: [
    {
      service_ids: ['otherpay'],
      latency_seconds: 1.5,
      issues: [{ kind: 'provider', message: 'otherpay did not answer in time.' }],
    },
  ],
  limits: [{ source: 'otherpay', min: '5' }],
});

/** Answers a request that no party can serve. */
export const emptyQuotesExample = (): Example => ({
  ...quotesExample(),
  quotes: [],
  fault: amountIssue(),
});

/** Waits for a deposit of tokens. */
export const swapPaymentExample = (): Example => ({
  payment_id: PAYMENT,
  org_id: '01932b3c-5d6e-7f80-9a1b-2c3d4e5f6070',
  status: 'PENDING',
  funded: false,
  created_at: '2026-11-23T10:01:00.000Z',
  updated_at: '2026-11-23T10:01:00.000Z',
  initiate_fund_by: '2026-11-23T10:11:00.000Z',
  quoted: {
    output_amount: { asset: WETH, amount: '0.497' },
    fees: fees(),
    route: swapRoute(),
    latency_seconds: 30,
  },
  fulfilled: {
    route: fulfilled(swapRoute(), 'PENDING'),
    output_amount: { asset: WETH, amount: '0' },
    fees: fees(),
  },
  current_prices: { usd: '1.0', [USDC]: '1', [WETH]: '200' },
  price_currency: 'usd',
  processing_addresses: [{ chain: 'alphanet', address: WALLET, factory: FACTORY }],
  owner_chain: 'alphanet',
  owner_address: OWNER,
  destination_address: DESTINATION,
  withdrawals: null,
  client_redirect_url: null,
  geolocation: null,
  declaration: {
    factory: OWNER,
    payment_id: HASH,
    owner: OWNER,
    executor: OWNER,
    destination: OWNER,
    expiry: '1764000000',
    legs: [],
  },
  quote_request: {
    request: {
      kind: 'FIXED_INPUT',
      fixed_input_amount: { asset: USDC, amount: '100' },
      output_asset: WETH,
    },
    features: [],
    parent_payment_id: PARENT,
  },
  parent_payment_id: PARENT,
  next_instruction: {
    type: 'ONRAMP',
    payment_id: PAYMENT,
    funding_page_url: `https://pay.example/funding/${PAYMENT}?token=t0ken`,
    deposit_info: [
      {
        deposit_token: USDC,
        deposit_amount: '100',
        deposit_address: WALLET,
        deposit_chain: 'alphanet',
      },
    ],
  },
  issues: missentIssues(),
});

/** Has been paid with a card and delivered; a withdrawal of a surplus followed. */
export const completePaymentExample = (): Example => {
  const { next_instruction: _, parent_payment_id: __, ...payment } = swapPaymentExample();
  const onramp = { onramp: 'sandboxpay', onramp_method: 'CREDIT_CARD' };
  const output = { output_amount: { asset: USDC, amount: '99.4' }, fees: fees(), ...onramp };
  return {
    ...payment,
    status: 'COMPLETE',
    funded: true,
    updated_at: '2026-11-23T10:09:00.000Z',
    completed_at: '2026-11-23T10:08:00.000Z',
    quoted: { ...output, route: onrampRoute(), latency_seconds: 90 },
    fulfilled: { ...output, route: fulfilled(onrampRoute(), 'COMPLETE') },
    quote_request: { ...onrampRequest(), features: ['BETA_EDGES'] },
    withdrawals: [
      {
        status: 'SUCCESS',
        token_amounts: [{ token: USDC, amount: '1.5' }],
        recipient_address: OWNER,
        transaction_hash: HASH,
        issues: [],
      },
    ],
    geolocation: { alpha3_country_code: 'USA', state_code: 'CA' },
    client_redirect_url: 'https://shop.example/done',
    issues: [],
  };
};

/** Two payments of one owner, and more on the next page. */
export const historyExample = (): Example => {
  const older = { ...completePaymentExample(), payment_id: OLDER };
  return {
    payment_statuses: [completePaymentExample(), older],
    next_pagination_key: `${OLDER}_2026-11-23T10:01:00.000Z`,
  };
};

/** Waits for the owner's signatures. */
export const unconfirmedPaymentExample = (): Example => ({
  ...swapPaymentExample(),
  status: 'UNCONFIRMED',
  next_instruction: {
    type: 'USER_VERIFY',
    verification_token: 'opaque',
    verifications: [
      { reason: 'EVM_OWNER', signature_type: 'EIP191', payload: 'I own this address.' },
      { reason: 'EVM_WITHDRAWAL', signature_type: 'EIP712', payload: withdrawalPayload() },
    ],
  },
  issues: [],
});

export const webhooksExample = (): Example => ({
  webhooks: [
    {
      id: PAYMENT,
      label: 'orders',
      url: 'https://shop.example/hooks',
      event_types: ['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED'],
      created_at: '2026-11-23T10:00:00.000Z',
      auth_header_name: 'X-Shop-Token',
    },
  ],
});

export const rotatedExample = (): Example => ({
  id: PAYMENT,
  signing_secret: 'whsec_0123456789abcdef',
  retire_at: '2026-11-25T10:00:00.000Z',
});

export const withdrawalExample = (): Example => ({
  type: 'eip712',
  signature_type: 'EIP712',
  payment_id: PAYMENT,
  withdraw_id: PAYMENT,
  withdraw_authorization: withdrawalPayload([{ target: WALLET, data: '0x', value: '0' }]),
  state_token: 'eyJhbGciOiJkaXIi',
});

export const withdrawalStatusExample = (): Example => ({
  withdraw_id: PAYMENT,
  payment_id: PAYMENT,
  status: 'SUCCESS',
  transaction_hash: HASH,
});

const delivery = (): Example => ({
  id: PAYMENT,
  label: 'orders',
  event_type: 'WORKFLOW_COMPLETED',
  workflow_id: PAYMENT,
  test: false,
  status: 'DELIVERED',
  attempts: 1,
  created_at: '2026-11-23T10:00:00.000Z',
  finished_at: '2026-11-23T10:00:01.000Z',
  next_attempt_at: null,
});

export const deliveriesExample = (): Example => ({
  deliveries: [delivery()],
  next_pagination_key: null,
});

export const deliveryExample = (): Example => ({
  ...delivery(),
  request: {
    method: 'POST',
    url: 'https://shop.example/hooks',
    headers: { 'x-service-signature': '***', 'webhook-signature': '***' },
    body: '{}',
  },
  attempt_log: [
    {
      number: 1,
      started_at: '2026-11-23T10:00:00.000Z',
      url: 'https://shop.example/hooks',
      duration_ms: 12,
      outcome: 'acknowledged',
      reason: null,
      answer: { status_code: 200, content_type: null, body: '' },
    },
  ],
});

const withdrawalPayload = (actions: object[] = []): string =>
  JSON.stringify({
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
      ],
      Call: [
        { name: 'target', type: 'address' },
        { name: 'data', type: 'bytes' },
        { name: 'value', type: 'uint256' },
      ],
      Authorization: [
        { name: 'description', type: 'string' },
        { name: 'actions', type: 'Call[]' },
        { name: 'nonce', type: 'uint256' },
        { name: 'signatory_declaration_hash', type: 'bytes32' },
        { name: 'chain_id', type: 'uint256' },
        { name: 'accept_blame', type: 'bool' },
      ],
    },
    primaryType: 'Authorization',
    domain: { name: 'Payments', version: '1' },
    message: {
      description: 'Withdraw',
      actions,
      nonce: '1',
      signatory_declaration_hash: HASH,
      chain_id: '31337',
      accept_blame: false,
    },
  });
