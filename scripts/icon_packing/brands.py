"""Which brands of Simple Icons are packed: what stands in diagrams of software, filed by what it is."""

from __future__ import annotations

from collections.abc import Mapping

BRANDS: Mapping[str, str] = {
    "database": """
        algolia apachearrow apacheavro apachecassandra apachecouchdb apachedoris apachedruid apachehbase apachekylin
        apachelucene apacheparquet apachesolr appwrite arangodb clickhouse cloudera cockroachlabs convex couchbase
        cratedb databricks dbeaver dgraph drizzle duckdb elasticsearch ferretdb firebase flyway greptimedb h2database
        hasura hibernate influxdb liquibase mariadb meilisearch milvus mongodb mysql neo4j neon oceanbase opensearch
        phpmyadmin planetscale pocketbase postgresql prisma qdrant redash redis rocksdb scylladb sequelize singlestore
        snowflake sqlalchemy sqlite supabase surrealdb teradata tidb timescale turso typeorm upstash victoriametrics
        vitess yandexcloud
    """,
    "messaging": """
        apachekafka apachepulsar apacherocketmq celery eclipsemosquitto graphql hivemq mqtt natsdotio pusher rabbitmq
        rsocket sidekiq socketdotio temporal trpc
    """,
    "data": """
        airbyte apacheairflow apachedolphinscheduler apacheecharts apacheflink apachehadoop apachehive apachenifi
        apachespark apachestorm apachesuperset dask dataiku dlthub dvc googleanalytics gradio grafana hotjar jupyter
        kibana knime looker matillion matomo metabase mixpanel mlflow numpy pandas plausibleanalytics plotly polars
        posit posthog prefect qlik ray rstudioide scipy streamlit talend trino umami
    """,
    "machine-learning": """
        anthropic claude crewai cursor deepgram deepmind deepseek elevenlabs githubcopilot googlecolab googlegemini
        huggingface kaggle keras langchain langflow langgraph lightning lmstudio mediapipe meta mistralai modal
        modelcontextprotocol modelscope n8n nvidia ollama onnx opencv openrouter paddlepaddle perplexity pytorch qwen
        rasa replicate scikitlearn spacy tensorflow ultralytics vllm weightsandbiases windsurf
    """,
    "containers": """
        apachecloudstack argo artifacthub cilium cloudfoundry cncf containerd dapr docker envoyproxy etcd falco flux
        harbor helm istio k3s k6 kaniko knative kong kubernetes kubespray kuma linkerd linuxcontainers longhorn nomad
        opencontainersinitiative openfaas opennebula openstack podman portainer proxmox qemu rancher redhatopenshift
        skaffold talos traefikproxy trivy vagrant virtualbox vmware wasmcloud
    """,
    "infrastructure": """
        ansible appveyor backstage bamboo bitrise buildkite ceph checkmarx chef circleci cloudbees codacy codecov
        codefresh codemagic concourse consul dependabot drone fastlane githubactions gitlab gocd hashicorp jenkins
        jfrog jfrogpipelines maas minio octopusdeploy opentofu packer pulumi puppet qnap renovate rundeck saltproject
        semaphoreci snyk sonar sonarqubecloud sonarqubeserver sonatype spinnaker synology teamcity tekton terraform
        travisci truenas vault
    """,
    "cloud": """
        akamai alibabacloud backblaze bunnydotnet canonical citrix clevercloud cloudflare cloudflarepages
        cloudflareworkers cloudinary codesandbox deno denodeploy dialogflow digitalocean equinixmetal exoscale fastly
        flydotio githubpages gitpod glitch googlebigquery googlebigtable googlecloud googlecloudcomposer
        googlecloudspanner googlecloudstorage googledataflow googledataproc googlepubsub hetzner huawei infomaniak
        ionos keycdn koyeb netapp netlify nutanix ovh platformdotsh railway redhat render replit sap scaleway
        stackblitz suse upcloud vercel vultr wasabi
    """,
    "monitoring": """
        airbrake appsignal betterstack checkmk datadog dynatrace elastic elasticstack fluentbit fluentd graylog icinga
        instatus jaeger logstash mezmo netdata newrelic opentelemetry opsgenie pagerduty pingdom prometheus rollbar
        sensu sentry splunk statuspage sumologic thanos uptimekuma
    """,
    "network": """
        adguard apache apachetomcat bluetooth caddy cisco cockpit curl eclipsejetty ericsson f5 fortinet gunicorn
        haproxy ipfs junipernetworks letsencrypt mikrotik netgear nfc nginx nginxproxymanager ngrok nokia openssl
        openvpn openwrt opnsense paloaltonetworks pfsense pihole tailscale torproject tplink ubiquiti webrtc wireguard
        wireshark zerotier zigbee
    """,
    "security": """
        1password auth0 authelia authentik bitdefender bitwarden bugcrowd burpsuite clerk dashlane fidoalliance
        fusionauth gnuprivacyguard hackerone jsonwebtokens kalilinux kaspersky keepassxc keycloak lastpass
        malwarebytes mcafee metasploit norton okta openbao openid ory owasp passport proton protonmail protonvpn snort
        trendmicro vaultwarden virustotal webauthn yubico
    """,
    "language": """
        ada apachegroovy arduino asciidoctor assemblyscript c clojure coffeescript commonlisp cplusplus crystal css d
        dart dotnet elixir elm erlang fortran fsharp gleam gnu gnubash go haskell html5 javascript jinja json julia
        kotlin latex less llvm lua markdown mdx micropython nim ocaml octave odin openjdk perl php purescript python r
        racket rescript ruby rust sass scala solidity swift toml typescript typst v vala webassembly xml yaml zig
    """,
    "framework": """
        actix adonisjs aiohttp alpinedotjs angular antdesign apachecordova apachefreemarker apollographql astro
        backbonedotjs blazor bootstrap bruno bulma bun cakephp capacitor chakraui chartdotjs codeigniter contentful d3
        directus django docusaurus drupal eclipsevertdotx electron eleventy emberdotjs expo express fastapi fastify
        flask flutter gatsby ghost gin gitbook godotengine gtk hono hoppscotch htmx hugo inertia insomnia ionic jekyll
        jetpackcompose joomla jquery koa ktor laravel leaflet lit livewire mapbox maplibre materialdesign meteor mobx
        mui nativescript nestjs nextdotjs nodedotjs nuxt openapiinitiative openlayers phoenixframework postman preact
        prestashop primefaces pydantic qt quarkus qwik radixui react reactivex reactquery reactrouter readthedocs
        redux redwoodjs remix rocket rubyonrails rubysinatra rxdb sanic sanity shadcnui shopify solid sphinx spring
        springboot springsecurity squarespace stencil storybook strapi styledcomponents svelte swagger symfony
        tailwindcss tauri threedotjs thymeleaf tokio unity unrealengine vaadin vitepress vuedotjs vuetify wails
        webflow wix woocommerce wordpress yii
    """,
    "tool": """
        anaconda androidstudio apacheant apachejmeter apachemaven apachenetbeanside apachepdfbox babel bazel biome
        bitbucket blender chocolatey clion cloudsmith cmake codeberg commitlint composer conan condaforge cucumber
        cypress datagrip diagramsdotnet doxygen eclipseide esbuild eslint excalidraw ffmpeg figma flatpak forgejo
        framer gatling gerrit gimp git gitea github gitkraken gnuemacs goland gradle gstreamer homebrew inkscape
        intellijidea iterm2 jest jetbrains junit5 lerna locust mercurial mermaid miro mocha neovim nixos npm nuget nx
        packagist pandoc penpot phpstorm pnpm poetry precommit prettier puppeteer pycharm pypi pytest rider
        robotframework rollupdotjs rubygems rubymine ruff selenium semanticrelease sharp sketch snapcraft
        sonarqubeforide sourcehut sourcetree starship sublimetext subversion swc testinglibrary tmux turborepo uv vim
        vite vitest vscodium warp webpack webstorm xcode yarn zedindustries zsh
    """,
    "system": """
        almalinux alpinelinux amd android apple archlinux arm brave broadcom centos chromewebstore debian dell esphome
        espressif fairphone fedora firefox firefoxbrowser freebsd gentoo gnome googlechrome googlehome harmonyos
        homeassistant hp intel ios kde lenovo lineageos linux linuxmint macos manjaro netbsd nodered openbsd openhab
        opensuse opera popos qualcomm raspberrypi riscv rockylinux safari samsung stmicroelectronics supermicro
        torbrowser ubuntu zigbee2mqtt
    """,
    "service": """
        adyen agora airbnb airtable americanexpress applepay appstore asana asterisk atlassian basecamp bigcommerce
        bitcoin bluesky box braintree brevo calendly camunda cardano chainlink clickup confluence devdotto discord
        dropbox element erpnext ethereum facebook gmail google googleads googledocs googledrive googlemaps googlemeet
        googlepay googleplay googlesheets googletagmanager hackerrank hedera hubspot ifttt instagram intercom jira
        jirasoftware jitsi klarna line linear livekit mailchimp mailgun make mastercard mastodon matrix mattermost
        medium meetup messenger netflix nextcloud notion odoo openstreetmap owncloud paypal pinterest polkadot polygon
        quickbooks razorpay rclone reddit resend revolut ripple rocketdotchat signal snapchat solana spotify square
        stackoverflow stripe telegram threads tiktok trello twitch typeform uber uipath viber visa vonage web3dotjs
        wechat whatsapp wikipedia wise x xero youtube zapier zendesk zoom
    """,
}
