import { compare, decimal } from './exact-decimal.js';
import {
  assetsOf,
  feeProblems,
  priceProblems,
  routeProblems,
  statusProblems,
  valueProblems,
} from './route-checks.js';
import { verificationProblems } from './signature-checks.js';
import { at, when } from './problems.js';
import type { History, Issue, Payment, Prices, Quote, Quotes, Timeline } from './wire-types.js';

/** Finds what no schema can express in an answer that its schema accepted. */
export type SemanticCheck = (body: unknown, url: URL) => string[];

const namedIn = (url: URL, parameter: string): string[] =>
  url.searchParams.getAll(`${parameter}[]`).map((value) => value.toLowerCase());

interface ListedAsset {
  chain?: string;
  address?: string;
  symbol: string;
  wrapper?: string;
}

export const checkAssets: SemanticCheck = (body, url) => {
  const assets = body as Record<string, ListedAsset>;
  const wanted = namedIn(url, 'assets');
  const isListed = (wrapper: string, on: string | undefined) =>
    Object.values(assets).some(({ chain, symbol }) => chain === on && symbol === wrapper);
  return Object.entries(assets).flatMap(([key, { chain, address, wrapper }]) => [
    ...when(
      wrapper !== undefined && wanted.length === 0 && !isListed(wrapper, chain),
      `/${key}: no token of ${chain ?? ''} has the symbol ${wrapper ?? ''} of its wrapper`,
    ),
    ...when(
      chain !== undefined && key !== `${chain}:${address ?? ''}`,
      `/${key}: chain and address say ${chain ?? ''}:${address ?? ''}`,
    ),
    ...when(wanted.length > 0 && !wanted.includes(key), `/${key}: not in assets[] of the request`),
  ]);
};

/** Makes the check of `available-outputs` (keys are inputs) or `available-inputs` (keys are outputs). */
export const checkAvailable =
  (keys: 'inputs' | 'outputs'): SemanticCheck =>
  (body, url) => {
    const available = body as Record<string, { fiats: string[]; tokens: string[] }>;
    const asked = namedIn(url, keys);
    const filter = namedIn(url, keys === 'inputs' ? 'outputs' : 'inputs');
    return Object.entries(available).flatMap(([key, { fiats, tokens }]) => [
      ...when(!asked.includes(key), `/${key}: not in ${keys}[] of the request`),
      ...[...fiats, ...tokens]
        .filter((asset) => filter.length > 0 && !filter.includes(asset))
        .map((asset) => `/${key}: ${asset} is outside the filter of the request`),
    ]);
  };

/** Checks that no public RPC address carries a key. */
export const checkChains: SemanticCheck = (body) => {
  const chains = body as Record<string, { rpc: string }>;
  return Object.entries(chains).flatMap(([name, { rpc }]) => {
    const { username, password, search, pathname } = new URL(rpc);
    const looksLikeKey = pathname.split('/').some((part) => /^(?=.*\d)[\w-]{20,}$/.test(part));
    return when(
      username + password + search !== '' || looksLikeKey,
      `/${name}/rpc: carries what looks like a key`,
    );
  });
};

/** Checks that the requested fiat has the price `1.0`, and that no third fiat is listed. */
export const checkPrices: SemanticCheck = (body) => {
  const prices = body as Prices;
  const fiats = Object.keys(prices).filter((asset) => !asset.includes(':'));
  const requested = fiats.find((fiat) => fiat !== 'usd') ?? 'usd';
  return [
    ...when(
      fiats.length > 2,
      `lists the fiats ${fiats.join(', ')}, expected the requested and usd`,
    ),
    ...when(
      prices[requested] !== '1.0',
      `/${requested}: ${JSON.stringify(prices[requested])}, expected "1.0"`,
    ),
  ];
};

export const checkQuotes: SemanticCheck = (body) => {
  const answer = body as Quotes;
  const { quote_request, quotes, current_prices, price_currency } = answer;
  const { request } = quote_request;
  const routes = quotes.map(({ route }) => route);
  const outputs = quotes.map(({ output_amount }) => output_amount.asset);
  const ids = new Set(quotes.map(({ payment_id }) => payment_id));
  const issues = [answer.fault ?? [], answer.failures.flatMap((failure) => failure.issues)].flat();
  return [
    ...when(ids.size !== quotes.length, '/quotes: two quotes share a payment_id'),
    // Without any quote the reason may be that an asset has no price.
    ...at(
      '/current_prices',
      quotes.length === 0
        ? []
        : priceProblems(current_prices, [...assetsOf(request, routes), ...outputs]),
    ),
    ...at('/price_currency', requestedCurrencyProblems(answer)),
    ...at('/accept_by', acceptanceProblems(answer)),
    ...at('/quotes', orderProblems(quotes)),
    ...at('/limits', answer.limits.flatMap(limitsProblems)),
    ...issues.flatMap((issue) => issueProblems(issue)),
    ...quotes.flatMap((quote, index) =>
      at(`/quotes/${index}`, [
        ...at('fees', feeProblems(quote.fees, price_currency)),
        ...at('route', routeProblems(quote.route)),
        ...valueProblems({
          request,
          route: quote.route,
          output: quote.output_amount,
          fees: quote.fees,
          prices: current_prices,
        }),
        ...choiceProblems(quote, answer),
      ]),
    ),
  ];
};

function requestedCurrencyProblems({ quote_request, price_currency }: Quotes): string[] {
  const expected = quote_request.price_currency ?? 'usd';
  return when(price_currency !== expected, `${price_currency}, expected ${expected}`);
}

function acceptanceProblems({ quoted_at, accept_by }: Quotes): string[] {
  const lasts = Date.parse(accept_by) - Date.parse(quoted_at);
  return when(lasts <= 0, `${lasts} ms after quoted_at, expected a later time`);
}

function orderProblems(quotes: Quote[]): string[] {
  return quotes.flatMap(({ output_amount }, index) => {
    const before = quotes[index - 1]?.output_amount.amount ?? output_amount.amount;
    const isHigher = compare(decimal(output_amount.amount), decimal(before)) > 0;
    return when(isHigher, `${output_amount.amount} stands behind the lower ${before}`);
  });
}

/** Checks that a quote is one that the request allows. */
function choiceProblems(quote: Quote, { quote_request }: Quotes): string[] {
  const { request, onramps, onramp_methods } = quote_request;
  const { asset, amount } = quote.output_amount;
  const fixed = request?.fixed_output_amount;
  const output = fixed?.asset ?? request?.output_asset ?? asset;
  const allows = (allowed: string[] | undefined, value: string | undefined): boolean =>
    !allowed?.length || value === undefined || allowed.includes(value);
  return [
    ...when(asset !== output, `output_amount is in ${asset}, expected ${output}`),
    ...when(
      fixed !== undefined && compare(decimal(amount), decimal(fixed.amount)) < 0,
      `output_amount ${amount} is less than the fixed output ${fixed?.amount ?? ''}`,
    ),
    ...when(!allows(onramps, quote.onramp), `onramp ${quote.onramp ?? ''} is not in onramps`),
    ...when(
      !allows(onramp_methods, quote.onramp_method),
      `onramp_method ${quote.onramp_method ?? ''} is not in onramp_methods`,
    ),
  ];
}

const limitsProblems = ({ min, max }: { min?: string; max?: string } = {}): string[] =>
  when(
    min !== undefined && max !== undefined && compare(decimal(min), decimal(max)) > 0,
    `min ${min ?? ''} exceeds max ${max ?? ''}`,
  );

/** Checks that an amount issue agrees with itself. */
export function issueProblems(issue: Issue): string[] {
  const { kind, given, limits = {}, reason, message = '' } = issue;
  if (!kind.startsWith('amount') || given === undefined) return [];
  const isBelow = limits.min !== undefined && compare(decimal(given), decimal(limits.min)) < 0;
  const isAbove = limits.max !== undefined && compare(decimal(given), decimal(limits.max)) > 0;
  return at(`${kind} issue`, [
    ...limitsProblems(limits),
    ...limitsProblems(issue.downstream_limits),
    ...when(
      !message.startsWith(`Given amount is ${given} `),
      `message "${message}" differs from given ${given}`,
    ),
    ...when(
      kind === 'amount' && reason === 'TOO_LOW' && limits.min !== undefined && !isBelow,
      `TOO_LOW, but ${given} is not below ${limits.min ?? ''}`,
    ),
    ...when(
      kind === 'amount' && reason === 'TOO_HIGH' && limits.max !== undefined && !isAbove,
      `TOO_HIGH, but ${given} is not above ${limits.max ?? ''}`,
    ),
  ]);
}

/** Checks that a timeline's entries follow each other without gaps, up to the next page. */
export const checkTimeline: SemanticCheck = (body, url) => {
  const { payment_id, entries, next_pagination_key } = body as Timeline;
  const after = Number(url.searchParams.get('pagination_key') ?? 0);
  const last = entries.at(-1)?.sequence;
  return [
    ...when(
      payment_id !== url.searchParams.get('payment_id')?.toLowerCase(),
      '/payment_id: is another payment',
    ),
    ...entries.flatMap(({ sequence }, index) =>
      when(
        sequence !== after + index + 1,
        `/entries/${index}/sequence: is ${sequence}, expected ${after + index + 1}`,
      ),
    ),
    ...when(
      next_pagination_key !== null && next_pagination_key !== String(last),
      '/next_pagination_key: is not the last sequence',
    ),
  ];
};

export const checkPayment: SemanticCheck = (body, url) => {
  const payment = body as Payment;
  const { quoted, fulfilled, price_currency, quote_request, current_prices } = payment;
  const assets = [
    ...assetsOf(quote_request.request, [quoted.route, fulfilled.route]),
    quoted.output_amount.asset,
    fulfilled.output_amount.asset,
  ];
  const isWithdrawalShown = /^(true|1)$/.test(
    url.searchParams.get('enable_withdraw_pending') ?? '',
  );
  const currency = url.searchParams.get('price_currency')?.toLowerCase() ?? price_currency;
  return [
    ...when(
      price_currency !== currency,
      `/price_currency: ${price_currency}, expected ${currency}`,
    ),
    ...when(
      payment.status === 'WITHDRAW_PENDING' && !isWithdrawalShown,
      '/status: WITHDRAW_PENDING without enable_withdraw_pending=true',
    ),
    ...at('/quoted/fees', feeProblems(quoted.fees, price_currency)),
    ...at('/fulfilled/fees', feeProblems(fulfilled.fees, price_currency)),
    ...at('/quoted/route', routeProblems(quoted.route)),
    ...at('/fulfilled/route', [
      ...routeProblems(fulfilled.route),
      ...statusProblems(fulfilled.route),
    ]),
    ...at('/current_prices', priceProblems(current_prices, assets)),
    ...timeProblems(payment),
    ...instructionProblems(payment),
    ...copyProblems(payment),
    ...missentProblems(payment.issues),
    ...payment.issues.flatMap((issue) => issueProblems(issue)),
  ];
};

/** Checks each payment of a page, their order, that the filters hold, and the key of the next page. */
export const checkHistory: SemanticCheck = (body, url) => {
  const { payment_statuses: payments, next_pagination_key: next } = body as History;
  const query = Object.fromEntries(url.searchParams);
  const last = payments.at(-1);
  const ids = new Set(payments.map(({ payment_id }) => payment_id));
  return [
    ...when(ids.size !== payments.length, '/payment_statuses: two share a payment_id'),
    ...when(payments.length > Number(query.limit ?? 25), '/payment_statuses: more than the limit'),
    ...when(
      next !== null && next !== `${last?.payment_id ?? ''}_${last?.created_at ?? ''}`,
      `/next_pagination_key: ${next ?? ''} does not name the last payment`,
    ),
    ...payments.flatMap((payment, index) =>
      at(`/payment_statuses/${index}`, [
        ...checkPayment(payment, url),
        ...when(
          payment.created_at > (payments[index - 1]?.created_at ?? payment.created_at),
          'is newer than the payment before it',
        ),
        ...filterProblems(payment, query),
      ]),
    ),
  ];
};

function filterProblems(payment: Payment, query: Record<string, string>): string[] {
  const { owner_address, destination_address, label, payment_id } = payment;
  const isSame = (value: string, wanted = value): boolean =>
    value.toLowerCase() === wanted.toLowerCase();
  const isAbandoned = payment.status === 'EXPIRED' && !payment.funded;
  return [
    ...when(!isSame(owner_address, query.owner_address), `owner_address is ${owner_address}`),
    ...when(
      !isSame(destination_address, query.dest_address),
      `destination_address is ${destination_address}`,
    ),
    ...when(label !== (query.label ?? label), `label is ${label ?? 'absent'}`),
    ...when(
      !payment_id.startsWith((query.id_query ?? '').toLowerCase()),
      `payment_id is ${payment_id}`,
    ),
    ...when(isAbandoned && query.category !== 'ALL', 'expired unfunded'),
  ];
}

function timeProblems(payment: Payment): string[] {
  const { created_at, updated_at, initiate_fund_by, completed_at = updated_at } = payment;
  const created = Date.parse(created_at);
  return [
    ...when(Date.parse(updated_at) < created, '/updated_at: before created_at'),
    ...when(Date.parse(initiate_fund_by) <= created, '/initiate_fund_by: not after created_at'),
    ...when(Date.parse(completed_at) < created, '/completed_at: before created_at'),
  ];
}

/** Checks that the instruction is about this payment and its own deposit address. */
function instructionProblems(payment: Payment): string[] {
  const { payment_id, next_instruction, processing_addresses, destination_address } = payment;
  const { funding_page_url: page, deposit_info = [], verifications = [] } = next_instruction ?? {};
  const isOwn = (chain: string, address: string): boolean =>
    processing_addresses.some((own) => own.chain === chain && own.address === address);
  return [
    ...processing_addresses.flatMap(({ address }) =>
      when(address === destination_address, '/processing_addresses: holds the destination'),
    ),
    ...at('/next_instruction', [
      ...when(
        next_instruction?.type === 'ONRAMP' && next_instruction.payment_id !== payment_id,
        'payment_id is that of another payment',
      ),
      ...when(
        page !== undefined && !page.includes(`/funding/${payment_id}?`),
        'funding_page_url is that of another payment',
      ),
      ...deposit_info.flatMap(({ deposit_token, deposit_address, deposit_chain }) => [
        ...when(
          !deposit_token.startsWith(`${deposit_chain}:`),
          `deposit_token ${deposit_token} is not on ${deposit_chain}`,
        ),
        ...when(
          !isOwn(deposit_chain, deposit_address),
          `deposit_address ${deposit_address} is not in processing_addresses`,
        ),
      ]),
      ...verifications.flatMap(verificationProblems),
    ]),
  ];
}

/** Checks that members which repeat the quote request agree with it. */
function copyProblems(payment: Payment): string[] {
  const names = ['label', 'customer_id', 'parent_payment_id'] as const;
  return names.flatMap((name) => {
    const requested = payment.quote_request[name];
    return when(
      requested !== undefined && payment[name] !== requested,
      `/${name}: ${payment[name] ?? 'absent'}, but quote_request has ${requested ?? ''}`,
    );
  });
}

/** Checks that each deposit of a wrong token is reported in both its forms. */
function missentProblems(issues: Issue[]): string[] {
  const tokens = (matches: (issue: Issue) => boolean): string[] =>
    issues.filter(matches).map(({ token }) => token ?? '');
  const funding = tokens(({ kind }) => kind === 'funding');
  const missent = tokens(({ classification }) => classification === 'MISSENT');
  return at('/issues', [
    ...missent
      .filter((token) => !funding.includes(token))
      .map((token) => `MISSENT ${token} has no funding issue`),
    ...funding
      .filter((token) => !missent.includes(token))
      .map((token) => `funding ${token} has no MISSENT issue`),
  ]);
}
