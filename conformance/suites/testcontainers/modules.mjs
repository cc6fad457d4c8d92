// The modules of testcontainers, each with an image that behaves as the module expects: what it says, where it listens, what it
// answers, and which programs it has. Where a module does more on request (files, commands, users), `cases` ask for that too.

/**
 * @typedef {object} Case
 * @property {string} [called] what makes this case differ from the plain one
 * @property {(container: any, more: { folder: string, module: any }) => unknown} [prepare] before the start
 * @property {(started: any) => unknown} [after] what the module offers once it has started
 *
 * @typedef {object} Module
 * @property {string} package of `@testcontainers`
 * @property {string} class
 * @property {string} image
 * @property {readonly number[]} [ports] that the image listens on
 * @property {string} [says] its log
 * @property {Readonly<Record<string, string>>} [answers] by HTTP path; others get `Ok.`
 * @property {readonly string[]} [entrypoint] of the image; without one, its server's name is the command
 * @property {string} [server] the program that the module starts, by its path in the image
 * @property {readonly string[]} [tools] programs that the module runs beside it; each succeeds
 * @property {Readonly<Record<string, string>>} [files]
 * @property {readonly Case[]} [cases] one plain start unless given
 */

const SCRIPTED = ["bin/bash"];
const KUBE_CONFIG = "clusters:\n- cluster:\n    server: https://127.0.0.1:6443\n";
const PLAIN = {};

/** @type {readonly Module[]} */
export const MODULES = [
  { package: "arangodb", class: "ArangoDBContainer", image: "arangodb:3.10.0", ports: [8529], says: "Have fun!" },
  {
    package: "azure-cosmosdb-emulator",
    class: "AzureCosmosDbEmulatorContainer",
    image: "mcr.microsoft.com/cosmosdb/linux/azure-cosmos-emulator:vnext-preview",
    says: "Now listening on: http://0.0.0.0",
  },
  {
    package: "azureservicebus",
    class: "AzureServiceBusContainer",
    image: "mcr.microsoft.com/azure-messaging/servicebus-emulator:1.1.2",
    ports: [5672, 5300],
    cases: [{ prepare: (container) => container.acceptLicense().withMssqlImage(MSSQL).withConfig("{}") }],
  },
  {
    package: "azurite",
    class: "AzuriteContainer",
    image: "mcr.microsoft.com/azure-storage/azurite:3.33.0",
    ports: [10000, 10001, 10002],
    says: ["Blob", "Queue", "Table"].map((name) => `${name} service is successfully listening`).join("\n"),
    server: "bin/azurite",
    cases: [
      PLAIN,
      { called: "with a certificate", prepare: (container) => container.withSsl("a certificate", "a key") },
    ],
  },
  { package: "cassandra", class: "CassandraContainer", image: "cassandra:5.0.2", ports: [9042], tools: ["bin/cqlsh"] },
  {
    package: "clickhouse",
    class: "ClickHouseContainer",
    image: "clickhouse/clickhouse-server:25.3-alpine",
    ports: [9000, 8123],
  },
  {
    package: "cockroachdb",
    class: "CockroachDbContainer",
    image: "cockroachdb/cockroach:v24.3.5",
    ports: [26257, 26258],
    entrypoint: ["stand-in"],
    tools: ["bin/cockroach"],
  },
  {
    package: "couchbase",
    class: "CouchbaseContainer",
    image: "couchbase/server:community-7.0.2",
    ports: [8091, 8092, 8093, 8094, 11210],
    says: "Starting Couchbase Server -- Web UI available at http://<ip>:8091",
    answers: { "/pools": '{"isEnterprise":false}', "/pools/default": '{"nodes":[{"status":"healthy"}]}' },
  },
  { package: "couchdb", class: "CouchDBContainer", image: "couchdb:3.4", ports: [5984] },
  { package: "elasticsearch", class: "ElasticsearchContainer", image: "elasticsearch:7.17.28", ports: [9200] },
  {
    package: "gcloud",
    class: "BigQueryEmulatorContainer",
    image: "goccy/bigquery-emulator:0.6",
    ports: [9050],
    entrypoint: ["stand-in"],
  },
  {
    package: "gcloud",
    class: "CloudStorageEmulatorContainer",
    image: "fsouza/fake-gcs-server:1.52",
    ports: [4443],
    says: "server started at http://0.0.0.0:4443",
    server: "bin/fake-gcs-server",
  },
  ...[
    { class: "DatastoreEmulatorContainer", port: 8080, says: "Dev App Server is now running." },
    { class: "FirestoreEmulatorContainer", port: 8080, says: "Dev App Server is now running." },
    { class: "PubSubEmulatorContainer", port: 8085, says: "Server started, listening on 8085" },
  ].map(({ port, ...more }) => ({
    ...more,
    package: "gcloud",
    image: `gcr.io/google.com/cloudsdktool/google-cloud-cli:${more.class.toLowerCase()}`,
    ports: [port],
    server: "bin/gcloud",
  })),
  {
    package: "gcloud",
    class: "SpannerEmulatorContainer",
    image: "gcr.io/cloud-spanner-emulator/emulator:1.5",
    ports: [9010],
    says: "Cloud Spanner emulator running.",
  },
  {
    package: "hivemq",
    class: "HiveMQContainer",
    image: "hivemq/hivemq-ce:2023.5",
    ports: [1883],
    says: "2024-01-01 INFO - Started HiveMQ in 3000ms",
  },
  {
    package: "k3s",
    class: "K3sContainer",
    image: "rancher/k3s:v1.31.6-k3s1",
    ports: [6443, 8443],
    says: "Node controller sync successful",
    entrypoint: ["stand-in"],
    files: { "etc/rancher/k3s/k3s.yaml": KUBE_CONFIG },
    cases: [
      { after: (started) => started.getKubeConfig().includes(`:${started.getMappedPort(6443)}`) || fail(started) },
    ],
  },
  {
    package: "kafka",
    class: "KafkaContainer",
    image: "confluentinc/cp-kafka:7.9.1",
    ports: [9092, 9093, 2181],
    server: "etc/confluent/docker/run",
    tools: ["bin/zookeeper-server-start", "bin/kafka-configs", ...SCRIPTED],
    cases: [
      PLAIN,
      { called: "with KRaft", prepare: (container) => container.withKraft() },
      {
        called: "with a secure listener",
        prepare: (container) =>
          container.withSaslSslListener({
            port: 9094,
            sasl: { mechanism: "SCRAM-SHA-512", user: { name: "app", password: "secret" } },
            keystore: { content: "a keystore", passphrase: "secret" },
          }),
      },
    ],
  },
  {
    package: "kurrentdb",
    class: "KurrentDbContainer",
    image: "kurrentplatform/kurrentdb:25.0",
    ports: [2113],
    cases: [
      {
        prepare: (container) =>
          container.withHealthCheck({ test: ["CMD", "true"], interval: 250, timeout: 1000, retries: 9 }),
      },
    ],
  },
  {
    package: "localstack",
    class: "LocalstackContainer",
    image: "localstack/localstack:4.0",
    ports: [4566],
    says: "Ready.",
  },
  { package: "mariadb", class: "MariaDbContainer", image: "mariadb:11.5.2", ports: [3306] },
  {
    package: "minio",
    class: "MinioContainer",
    image: "minio/minio:latest",
    ports: [9000, 9001],
    entrypoint: ["stand-in"],
  },
  {
    package: "mockserver",
    class: "MockserverContainer",
    image: "mockserver/mockserver:5.15.0",
    ports: [1080],
    says: "started on port: 1080",
  },
  {
    package: "mongodb",
    class: "MongoDBContainer",
    image: "mongo:8.0",
    ports: [27017],
    entrypoint: ["stand-in"],
    tools: ["bin/mongosh"],
    cases: [
      PLAIN,
      { called: "with a user", prepare: (container) => container.withUsername("app").withPassword("secret") },
    ],
  },
  {
    package: "mongodb",
    class: "MongoDBAtlasLocalContainer",
    image: "mongodb/mongodb-atlas-local:8.0",
    ports: [27017],
    tools: ["bin/runner"],
  },
  {
    package: "mssqlserver",
    class: "MSSQLServerContainer",
    image: "mcr.microsoft.com/mssql/server:2022-latest",
    ports: [1433],
    says: "Recovery is complete. This is an informational message only.",
    cases: [{ prepare: (container) => container.acceptLicense() }],
  },
  {
    package: "mysql",
    class: "MySqlContainer",
    image: "mysql:8.4",
    ports: [3306],
    tools: ["bin/mysql"],
    cases: [{ after: (started) => started.executeQuery("SELECT 1") }],
  },
  {
    package: "nats",
    class: "NatsContainer",
    image: "nats:2.11",
    ports: [4222, 6222, 8222],
    says: "[1] [INF] Server is ready",
    entrypoint: ["stand-in"],
    cases: [{ prepare: (container) => container.withJetStream() }],
  },
  { package: "neo4j", class: "Neo4jContainer", image: "neo4j:5.26", ports: [7687, 7474], says: "INFO  Started." },
  {
    package: "ollama",
    class: "OllamaContainer",
    image: "ollama/ollama:0.5",
    ports: [11434],
    says: "Listening on [::]:11434",
    cases: [{ after: (started) => started.commitToImage("testcontainers/ollama:committed") }],
  },
  {
    package: "opensearch",
    class: "OpenSearchContainer",
    image: "opensearchproject/opensearch:2.19.2",
    ports: [9200, 9300, 9600],
    // The stand-in speaks no TLS.
    cases: [{ prepare: (container) => container.withSecurityEnabled(false) }],
  },
  {
    package: "postgresql",
    class: "PostgreSqlContainer",
    image: "postgres:17-alpine",
    ports: [5432],
    entrypoint: ["docker-entrypoint.sh"],
    server: "usr/local/bin/docker-entrypoint.sh",
    tools: ["bin/pg_isready", "bin/psql"],
    files: { "etc/passwd": "root:x:0:0::/:/bin/sh\npostgres:x:70:70::/:/bin/sh\n" },
    cases: [
      { after: (started) => started.snapshot() },
      {
        called: "with a certificate",
        prepare: (container, { folder }) => container.withSSL(`${folder}/one.txt`, `${folder}/two.txt`),
      },
    ],
  },
  {
    package: "qdrant",
    class: "QdrantContainer",
    image: "qdrant/qdrant:v1.13.4",
    ports: [6333, 6334],
    says: "Actix runtime found; starting in Actix runtime",
    cases: [
      PLAIN,
      {
        called: "with a file of the host",
        prepare: (container, { folder }) => container.withConfigFile(`${folder}/one.txt`),
      },
    ],
  },
  {
    package: "rabbitmq",
    class: "RabbitMQContainer",
    image: "rabbitmq:3.12.11-management-alpine",
    ports: [5672, 5671, 15671, 15672],
    says: "Server startup complete; 4 plugins started.",
  },
  ...["redis", "valkey"].map((name) => ({
    package: name,
    class: name === "redis" ? "RedisContainer" : "ValkeyContainer",
    image: name === "redis" ? "redis:7.2" : "valkey/valkey:8.0",
    ports: [6379],
    says: "* Ready to accept connections tcp",
    server: `bin/${name}-server`,
    tools: ["bin/redis-cli", "bin/valkey-cli", ...SCRIPTED],
    cases: [
      PLAIN,
      {
        called: "with a password, its data on the host and a script",
        prepare: (container, { folder }) =>
          container.withPassword("secret").withPersistence(folder).withInitialData(`${folder}/one.txt`),
        after: (started) => started.executeCliCmd("info", ["clients"]),
      },
    ],
  })),
  {
    package: "redpanda",
    class: "RedpandaContainer",
    image: "docker.redpanda.com/redpandadata/redpanda:v23.3.10",
    ports: [9092, 9644, 8081, 8082],
    says: "Successfully started Redpanda!",
    server: "bin/rpk",
    tools: SCRIPTED,
    files: { "etc/redpanda/redpanda.yaml": "" },
  },
  { package: "s3mock", class: "S3MockContainer", image: "adobe/s3mock:4.7.0", ports: [9090, 3903] },
  {
    package: "toxiproxy",
    class: "ToxiProxyContainer",
    image: "ghcr.io/shopify/toxiproxy:2.12.0",
    ports: [8474],
    answers: { "/version": "{}" },
  },
  {
    package: "vault",
    class: "VaultContainer",
    image: "hashicorp/vault:1.13.0",
    ports: [8200],
    tools: ["bin/vault"],
    cases: [
      {
        prepare: (container) =>
          container.withVaultToken("token").withInitCommands("secrets enable transit", "kv put a b=c"),
      },
    ],
  },
  {
    package: "weaviate",
    class: "WeaviateContainer",
    image: "cr.weaviate.io/semitechnologies/weaviate:1.29.0",
    ports: [8080, 50051],
    entrypoint: ["stand-in"],
  },
];

const MSSQL = "mcr.microsoft.com/mssql/server:2022-latest";

function fail(started) {
  throw new Error(`not what it should be: ${started.getId()}`);
}
