import type { DataSource } from 'typeorm';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export interface ExplainedPlan {
  found: number;
  /** Rows of `payments` that were read. */
  touched: number;
  /** Indexes of `payments`. */
  indexes: string[];
}

interface Statement {
  text: string;
  values: unknown[];
}

const nodesOf = (node: PlanNode): [PlanNode, ...PlanNode[]] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
];

/** Explains and runs a statement: the nodes of its plan, the root first. */
export async function planNodes(
  dataSource: DataSource,
  { text, values }: Statement,
): Promise<[PlanNode, ...PlanNode[]]> {
  const [row]: { 'QUERY PLAN': { Plan: PlanNode }[] }[] = await dataSource.query(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('expected a plan');
  return nodesOf(plan);
}

/** Explains and runs a statement: the rows of `payments` that it touched, and by which indexes. */
export async function explainedPlan(
  dataSource: DataSource,
  statement: Statement,
): Promise<ExplainedPlan> {
  const nodes = await planNodes(dataSource, statement);
  const scans = nodes.filter((node) => node['Relation Name'] === 'payments');
  const rowsOf = (node: PlanNode): number =>
    node['Actual Loops'] *
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0));
  return {
    found: nodes[0]['Actual Rows'],
    touched: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))].filter((name) =>
      name.startsWith('payments_'),
    ),
  };
}
