// Made by "npm run generate" from schema/internal and the documents of the clients; changes belong there.

/** The documents of `/graphql` that clients call by name. */
export const internalDocuments: ReadonlyMap<string, string> = new Map([
  ["checkout","query checkout($id: ID!, $account: ID) {\n  checkout(id: $id, account: $account) {\n    id\n    status\n    checkoutUrl\n    expiresAt\n    order {\n      id\n    }\n  }\n}"],
  ["createCheckout","mutation createCheckout($input: CreateCheckoutInput!) {\n  createCheckout(input: $input) {\n    id\n    status\n    checkoutUrl\n    expiresAt\n  }\n}"],
  ["publishEvent","mutation publishEvent($input: PublishEventInput!) {\n  publishEvent(input: $input) {\n    id\n    created\n  }\n}"],
  ["publishEvents","mutation publishEvents($input: [PublishEventInput!]!, $atomic: Boolean) {\n  publishEvents(input: $input, atomic: $atomic) {\n    id\n    created\n    error {\n      code\n      detail\n      param\n    }\n  }\n}"],
  ["recordPayment","mutation recordPayment($input: RecordPaymentInput!) {\n  recordPayment(input: $input) {\n    order {\n      id\n    }\n    payment {\n      id\n    }\n    invoice {\n      id\n    }\n    thankYouUrl\n  }\n}"],
  ["refundPayment","mutation refundPayment($id: ID!, $input: RefundPaymentInput!, $account: ID) {\n  refundPayment(id: $id, input: $input, account: $account) {\n    id\n    status\n    amountMinorUnits\n    currency\n  }\n}"],
]);

/** The ids of known documents that graphql-jit answers as graphql-js does. Only these are compiled. */
export const compilable: ReadonlySet<string> = new Set([
  "checkout", // checkout
  "createCheckout", // createCheckout
  "publishEvent", // publishEvent
  "publishEvents", // publishEvents
  "recordPayment", // recordPayment
  "refundPayment", // refundPayment
  "29665cff18d58cdf428e35fac1d6df3281f52490b5751b31388a9b27a383aa23", // apiKeys
  "0e4b656c0bdd04fb791b01f2a9b8618432c9eeedce137bb094906901a19e06f7", // auditLog
  "fe8dc7851cbc4ab6c2f0be8449a0eca45356c2984beec28c81f3030fd1b8fe4d", // cancelOffer
  "ce5a9ef4359097124dbaaabf8e93e44b03d8fc9e02932d1ff74f7e1ac6116c08", // cancelRecovery
  "2a7573523c63d2e626c1769d07edaf1ddb3146e7b01ad3e651872c49b48b9adc", // changeMemberRole
  "b2289ee9458f9297f86fe0fdae3af9669c6b09c36adc1f102f2b111df687a53f", // checkout
  "fa85c0c96edd6d4f4016d88505991954df841f9491df7117b84ed711e1f32c81", // checkouts
  "bc295de2a567450cd8caa11f83fb53e16c07d8ec82173bacd3c13c109cb73b1b", // createApiKey
  "a7788f95bbb4bee2e4abcb0a192e36c07f0cf2f6356c465dee7d3b62340e4391", // createEndpoint
  "9e4218448a2049c15ae56b78fbb9c8985b452ef0f8b5f168d5d0289ddf67990f", // createMember
  "ccb5e7c14947129d14fbfc1a04cf9de1b4afe86eb70ae981aed0608a6ec37218", // createPortalLink
  "aac0d4b2214f89198d7e97dc3adef64e83500a3fdc65325de9e648dc46f2d9c6", // deleteEndpoint
  "28ed97abe8dc5c94809eb7df0acc8c902fdedbfcbefa4ef5385b0df6ba49f13a", // deliveries
  "873944c82ec558eef639c183a8e2b989ac7591119732cc133040d45a9885ed00", // delivery
  "2fcf68789b85a420ebb2fba6006511d194ac6b0f3ebce9a39e6d6f1592cee5c1", // endOtherSessions
  "35487eb8e07443c7157c0587083aa24f64b3f8e7ce861959ed62b414b68a19f7", // endPortalSession
  "b31deebb6e4c76ecee219fcf47a16a35ff5f46a0f24a06329cf23cad18742015", // endPortalSessions
  "ceb35b12aba5c0aabc8920c19fc0b7a8436a1466a4adca72f0cbc7c3e51bb361", // endSession
  "59eb02ba0a1cc55b6dfc71e8fec0d84dbaec1ac3d1c19c2c817ca313b1440cbc", // endpointFailures
  "a3e50d92b8d42a10921d9ef3b6d18a91ec5e22b2b07998328b6aac62b66b01da", // endpointHealth
  "c9a119d80f90a7bdbcd5b562edb030c5def6bb30797ed92b15ddb476235ed53a", // endpointOptions
  "509b90e500a4f9bc2915276a92b4a58bf424f5398a79b8e65246cae819b33710", // endpoint
  "1189e873e7850dfe5a7ca09186692e9a5035ed188198eae68c3c4cde0b4a6ec6", // endpoints
  "ee27f8bd2e46afaf002add2196c61c2c19204cbd12c05d3a77c97b5fe7c599d6", // eventAtEndpoint
  "71d923004914da8984e172157cd5319ae9ff80169221247a3d7025f3536809f9", // eventBody
  "338d100483a43b0cd35ae9341cb9d318b26a73b0042fb996ac41c671d323e0c1", // eventType
  "dbe569fb16aae55459ab1bba9a28395ed0f99f257d5a3cd2fa8dd2f94cc0adf7", // eventTypes
  "b9124342d09eab8ca574bdcf807e92964a2906fbc529a507f3f9d8fe6aeda5bf", // event
  "f31c6b46e128fd7516a4e0fca8835c65e935487a5b5ce1e3899ce1a3c2393e9e", // firstEndpoint
  "047d3710815ab4a1863dc8a08dbd6f61c8d0c931be7494ae0bff951db3f387a2", // giveUpDelivery
  "8a790d8df415f20005ba5acb671503e90032106bd3e3c51c8941d4f187003453", // heldSubjects
  "60030d5541f4bf0ca22502c26bf9a6fa72e0d151495a2c6c0a169de3b965dcb5", // invoice
  "35abd9cbbb725716a0f8668bf867cf49078edbb852d825c744ce34211aac013c", // invoices
  "522898ac1857b9232316fc0a486b31137c5e99f883d39d1f8d1d0ea4168960dd", // members
  "05b1ef1cbd5275d4115ae29b228d812c1de386ec54b3a65dcdf33d0cc07017ae", // offer
  "df4a59196937162ca877e703f9b0811b137240a1c629c29a20d1973271f08b04", // offers
  "8ab61bd1de2db554a7ecb351f26ac5b5ac6ca77b835575fa5b44dadb620d3e06", // order
  "793524e6fe45847440cc29a2c952dc92d65b10d767ad3bd8a9f4dd5f7a776623", // orders
  "550449b2da2cd65cd190ed2995ac2bda45620325f7a142f305435063525066bb", // pauseRecovery
  "b8f876d4fa6aade748620ce2d49981f368dc3adbd676dea1553b908bbb254772", // payment
  "2ca87be224146334b5ce48e36d6e0c637525a18e5c493aa25e39f43f5d8ef108", // payments
  "da084f6ff761f4aae0508f4ff12d036068aa98acf33a1c985aee345f50238b89", // portalSettings
  "c5d6b36f8d64425b427eed342fc255f42aeb6c41ef8ec1aa45f8b985c83694f7", // previewRecovery
  "6a2521273142abd8e59692d6aa5645dfafda928e4f721953026eaeadb0823409", // recoverable
  "ff612838b25f271c4ee387e13fe02bd96c5a03c49ce64676fa57a265f012fc93", // recoveries
  "e3282365f4c48f1c7cedb2a4899a7908fac10ad5ca70d002fe8cfbcdb5bae132", // recovery
  "a401e100d731027da9d46fe491300481f7a9ef723011aca372f765ff1132cdfa", // refundPayment
  "9070811f3235e6019d44ff73fd8b4ec2619fe67d404d677a82b9b55836acf665", // refund
  "2461b21775b62e55c45b991f6ed456ea4efc81c1fecb177180492dda4ed74412", // refunds
  "164e79f5b2eaefc25d7b397eb23e86140d370c242d2db10f3483e2ec646348aa", // removeMember
  "65aaaba04f050ad16ad70a9532fd9e90e8c2756826278f96930015f4c2e9b637", // resendOffer
  "125c1e13623841ea3759abebf2503c221034873e63db623c312494e8fe57c764", // resumeRecovery
  "ff65e929627656b2dc8d9c192920e98b503f73d1e6b13aca1de75a3da708a14d", // retrySchedules
  "04e4e028a1c3b19031235e02295ed0629609c64e84163e6095f6a998310d612d", // revokeApiKey
  "4f99b7ed3ce6fe46daabca81d87a33a528bdfc56493fa0ee0b72c52c07c2dba4", // rotateSecret
  "72cd689bb0667dc4a7df7e79d28d8e688d7394f347568a533aade90699e624f9", // sendOffer
  "bf7c53a386ddb1c04dff13f227476989b22d7a43d0af011acaff8331aa351e85", // sessions
  "3f076381f7ade70a4e7c445546caa134ddf272e2e1d04af4db185d25cb4fdb46", // setRateLimit
  "0651ec1d737cc6909ec8fcf88f2f26fe9e9c72c275f98616ba48a5358b1bbab4", // startRecovery
  "842a7f10df9d0a01ed1b3b1eb306289779777e499f2edddd52cfa5d5e682dc3d", // tryFilter
  "c03bbdb375c192046b24b67b8d9fbef5177daf8faaebd1519d5c90b47dcc9569", // updateEndpoint
  "5cb3994701e70111c1a5c53b0dcd55c371114889df8736903b5169b643d3a651", // updatePortalSettings
  "98952e37e90f8d0f4c2ac9a8bebc34339fd2ff1dd29c9312ccf1d0763772b497", // viewer
  "20840ecb267be3c4724eb103f095958000b9f70dc7cc8afea910268695c2f0d3", // delivery
  "c06f866da8194702974ef6333b8d3980f2ea000bc596207356f2c6d4fbf85c4c", // endpointOptions
  "1ea098e9924b94472376c631d14f0ec912c2657c7e9588c9c7bf864b73931d82", // endpoint
  "98a9d068cee1767e7de32bb83ee0724ff6c09e74bd225fd307aa48241df5c172", // invoices
  "61940d704a4783f91198db1cde589fe81412c7c75749a28a966661c72a3bf91e", // orders
  "825fd4667a807620a9c6446899c265acd6f7c076e676d1cdf94d238eceeec744", // payments
  "652777ef4769c7a48093c4cd818d8aa19427c4b80147b0255bb1cabb3bc17cae", // portalSessions
  "75bc4c19b737a02ec8323007141998fb6e845a6d7ed1c12acfe61b8640d86239", // refunds
  "dc6451b813a8b81efb0c14c9015c8a3b649dafa1fedfc2c703fce197d1cb4fd3", // accountEndpoint
  "5bc7b1b619f4c8373aef54e1a10815667873ead63edb1c09792efd5259343778", // accountEndpoints
  "bac9f762e3474f7611777a516210ec22754f154daa582c7da5059b48b2fe4af2", // accounts
  "3c6c9ed3586381fae27dfada13604e63f43f8901d08529edcbcf7f706a8d3015", // attempts
  "2c8f57dc01e4e2eaa857d86e8677ffe6e36697188a75d00cf7b73e067842cd3b", // deadLetter
  "4292b47fc23b243fa22ce0a1977bc2588f4cc4e858f719f24393b57a50073207", // deadLetters
  "f225fd2d64e3c44b1e61b5c4c6bc6fef0263e5ee271914c3346f4c703d1848a5", // eventTrail
  "59617714d63c792a2ac5519482428a3138d26e862eb50c69ddf5651bba8e9339", // eventsAbout
  "b6e741ec579645a01a923c66c1a6503dc0ced4283c8f751f4749763ba26f3049", // lookUpId
  "867972e897404b1b5a5ff6a500e6fc4c44f1e190953d79b9eccf70a0869b75a9", // releaseDeadLetter
  "660482998698c9c2a60eda2fb5de56237c67e4235cc71aaf1fa3227c76379b79", // serviceStatus
  "2cde3793d00f9239c0255ce7734914ada811e65ce858c7945105d858f36c6de8", // viewer
  "5eee89958d66a3dade8a9738f3612755820c5a93c7c8da31c64a4e0c63580306", // accountEndpoints
  "e02783f4a64a3dfb20bca4f2dc316c0d4bd0c1d20cac7efdc4014577daa6eb59", // checkouts
  "346e630fe17918990cf111408bfa99e331e67bd4a88980819830fb2cd137c805", // deliveries
  "5ea33ec21d242f57a0380492841c68437c7afb9a705f2004578ed562618bc76f", // delivery
  "da576354fd2b26f4d855a56249ab95a97d95fefd6a1c8d8016609fe4511f798d", // deliveryOptions
  "65f4bad45d9b1da82096d2088d1a6e2c6f9d548644d0ac3680f28281de50d0ad", // eventAtEndpoint
  "4aede84786ed8526381706488370826aec1ead58b7509e15b46a389e50a4b666", // eventType
  "2177b46b1fee3f599f87f4d643f880d4d643cae7ba5b3645278c5cc371609f02", // events
  "e63e61a590d2c9d59a245e9d6ba34e1298b832e73015cc6b07a01d37c8c9de30", // event
  "6faf5102ea6da14b2d2e00f78d143fc2c5ab67ad22dec302c437fd440346da70", // eventTime
  "632f079caa79cad6c631119304227c932f39d10b29ad7b935c3b3e01924360d1", // sendTestEvent
  "6df8d949b6ac1b6a5bb3a7b0be44f602e86cc665dde58a74feb9f38dc842d3cd", // previewRecovery
  "4fc6dd54e7e68e741ea1c78f40280e833a43a144d2b56f61facfc3bda848430e", // startRecovery
  "3b0f23ee6a5ed5c5f93978be9d27a20f81aab14801963f56f170742e454a730b", // recovery
  "732fe6ca392e11f92850839b861b44fdafdb353e96d980b726d3b27e3e775d5f", // rotatePublicKey
  "84fdb3d4ae638e9af51e8be7d02ab20c53a76cc77a25b07409d72a46e2951d24", // setEndpointOptions
  "a800872ff2f2408a2dc1c3625eda6b248af5b4a62cc0f4d7d59b9fce9676dc2a", // setRateLimit
  "d0f41534ef24bbe00ecfa0bf40a8d2d4462dddae58add3b92b23fde7b3362d2a", // tryFilter
  "ed7cccf6618f105c5a791298a6732b03749086f62e98e1a99ba508cbc62c71f1", // viewer
]);

// Interpreted, and why:
// 497d60d84098f9f4d5e72acb6e67a5b6811ba2fd6f32c9ba9c0fe255f4f268b7 (endpointDisabling): a string literal
// cd6d806d1ea9cf2177c7e180c881607c0ac3d85fcce4e2a738f9b0ac880307bd (portalSessions): several root fields
// 1c08a5817e63dc12e218f9d18c0c530df0d79b224ad922a47b37e90e6a2b1df8 (replayDelivery): resolvers below a mutation
// c7dcaf0104a69196fdfafe66a00d5cad5828d8c14d6bd7c30746088b5a20b97c (rotatePublicKey): resolvers below a mutation
// ecb08902654d68b62f841ddb9bd1e34389b1b0ce439c0b7e58c6bed9ad09d62e (sendTestEvent): an object literal
// 3922b63d9f91fb87014bd8ec9593384e010d5706882e22fd4cf7ad6e10125743 (setEndpointOptions): resolvers below a mutation
// 44053e00ca02578bb18e16b3c4bdb03166a53104225072dd263a706f465471f9 (statistics): several root fields
// 77988754616ad518da8adfdc3894301bdf1bf9162dd1e58fb45c694a6288e3e9 (account): several root fields
