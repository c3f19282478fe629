/** Describes the parts of the answers that the semantic checks read, after their schema accepted them. */
export interface AssetAmount {
  asset: string;
  amount: string;
}

export interface Change {
  account: string;
  resource: { asset: string; property: string };
  amount: string;
}

export interface Step {
  type: string;
  net_effect: { consume: Change[]; produce: Change[] };
  pieces_info: { type: string }[];
  step_index: number;
  status?: string;
}

export interface Fees {
  total_fees: string;
  conversion_fees: string;
  network_fees: string;
  business_fees: string;
  currency_symbol: string;
}

export interface Quote {
  payment_id: string;
  output_amount: AssetAmount;
  fees: Fees;
  route: Step[];
  onramp?: string;
  onramp_method?: string;
}

export type Prices = Record<string, string>;

export interface Conversion {
  fixed_input_amount?: AssetAmount;
  fixed_output_amount?: AssetAmount;
  input_asset?: string;
  output_asset?: string;
}

interface QuoteRequest {
  request?: Conversion;
  onramps?: string[];
  onramp_methods?: string[];
  price_currency?: string;
  parent_payment_id?: string;
  label?: string;
  customer_id?: string;
}

interface Limits {
  min?: string;
  max?: string;
}

export interface Issue {
  kind: string;
  given?: string;
  limits?: Limits;
  downstream_limits?: Limits;
  reason?: string;
  message?: string;
  token?: string;
  classification?: string;
}

export interface Quotes {
  quote_request: QuoteRequest;
  quotes: Quote[];
  current_prices: Prices;
  price_currency: string;
  quoted_at: string;
  accept_by: string;
  fault: Issue | null;
  failures: { issues: Issue[] }[];
  limits: (Limits & { source: string })[];
}

export interface Verification {
  reason: string;
  signature_type: string;
  payload: string;
}

interface Deposit {
  deposit_token: string;
  deposit_address: string;
  deposit_chain: string;
}

interface NextInstruction {
  type: string;
  payment_id?: string;
  funding_page_url?: string;
  deposit_info?: Deposit[];
  verifications?: Verification[];
}

export interface History {
  payment_statuses: Payment[];
  next_pagination_key: string | null;
}

export interface Payment {
  payment_id: string;
  status: string;
  funded: boolean;
  created_at: string;
  updated_at: string;
  initiate_fund_by: string;
  completed_at?: string;
  quoted: Omit<Quote, 'payment_id'>;
  fulfilled: Omit<Quote, 'payment_id'>;
  current_prices: Prices;
  price_currency: string;
  processing_addresses: { chain: string; address: string }[];
  owner_address: string;
  destination_address: string;
  quote_request: QuoteRequest;
  next_instruction?: NextInstruction;
  issues: Issue[];
  parent_payment_id?: string;
  label?: string;
  customer_id?: string;
}

export interface Timeline {
  payment_id: string;
  entries: { sequence: number }[];
  next_pagination_key: string | null;
}
