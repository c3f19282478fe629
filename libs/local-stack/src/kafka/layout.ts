import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../ports.js';
import type { KafkaOptions } from './kafka-options.js';

export interface Node {
  id: number;
  directory: string;
  port: number;
  controllerPort: number;
  /** Port of the listener with user name and password. */
  saslPort: number;
  /** Port of the encrypted listener. */
  tlsPort: number;
}

type Ports = Omit<Node, 'directory'>;

/** Nodes that a cluster has and where they listen; kept, so that clients find them again after a restart. */
export async function layoutOf(options: KafkaOptions): Promise<Node[]> {
  const { directory, brokers = 1 } = options;
  const file = join(directory, 'nodes.json');
  mkdirSync(directory, { recursive: true });
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ports[]) : [];
  const nodes: Ports[] = [];
  for (let id = 1; id <= brokers; id += 1) nodes.push(kept[id - 1] ?? (await newNode(id)));
  if (nodes[0]) {
    nodes[0].port = options.port ?? nodes[0].port;
    nodes[0].controllerPort = options.controllerPort ?? nodes[0].controllerPort;
  }
  writeFileSync(file, JSON.stringify(nodes));
  return nodes.map((node) => ({ ...node, directory: join(directory, `node-${node.id}`) }));
}

async function newNode(id: number): Promise<Ports> {
  const [port, controllerPort, saslPort, tlsPort] = await differentPorts();
  return { id, port, controllerPort, saslPort, tlsPort };
}

async function differentPorts(): Promise<[number, number, number, number]> {
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return new Set(ports).size === ports.length ? ports : differentPorts();
}
