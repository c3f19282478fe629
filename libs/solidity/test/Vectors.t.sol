// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ActionRunnerFactory} from "../contracts/ActionRunnerFactory.sol";
import {EscrowedToken, IntentEscrow} from "../contracts/IntentEscrow.sol";
import {OneTimeWalletFactory} from "../contracts/OneTimeWalletFactory.sol";
import {Outcome} from "../contracts/interfaces/IFillOracle.sol";
import {AttestationHash} from "../contracts/libraries/AttestationHash.sol";
import {AuthorizationHash} from "../contracts/libraries/AuthorizationHash.sol";
import {DeclarationHash} from "../contracts/libraries/DeclarationHash.sol";
import {Call, Declaration, Fee, Leg} from "../contracts/types/Declaration.sol";
import {Order, RefundInstruction} from "../contracts/types/Order.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {Fixture} from "./support/Fixture.sol";

/// @notice Fixed values that the TypeScript package must compute too: its tests read the same file.
contract VectorsTest is Fixture {
    address internal constant FACTORY = 0xFac7000000000000000000000000000000000001;
    string internal vectors;

    function setUp() public override {
        super.setUp();
        vectors = vm.readFile("test/vectors.json");
        vm.setNonce(FACTORY, 1);
        deployCodeTo("OneTimeWalletFactory.sol", abi.encode(converter, runners), FACTORY);
    }

    function test_declarationHash() public view {
        assertEq(hashOf(declaration()), vm.parseJsonBytes32(vectors, ".declarationHash"));
        assertEq(this.hashCalldata(declaration()), hashOf(declaration()));
    }

    function test_walletAddress() public {
        bytes32 hash = hashOf(declaration());
        address expected = vm.parseJsonAddress(vectors, ".walletAddress");
        assertEq(OneTimeWalletFactory(FACTORY).predict(hash), expected);
        assertEq(OneTimeWalletFactory(FACTORY).deploy(hash), expected);
    }

    function test_actionRunner() public {
        address at = vm.parseJsonAddress(vectors, ".actionRunner.factory");
        vm.setNonce(at, 1);
        deployCodeTo("ActionRunnerFactory.sol", "", at);
        address wallet = vm.parseJsonAddress(vectors, ".walletAddress");
        address expected = vm.parseJsonAddress(vectors, ".actionRunner.address");
        assertEq(ActionRunnerFactory(at).predict(wallet), expected);
        assertEq(ActionRunnerFactory(at).deploy(wallet), expected);
        assertEq(expected.code, vm.parseJsonBytes(vectors, ".actionRunner.code"));
    }

    function test_authorizationHash() public view {
        ServiceAuthorization memory authorization = ServiceAuthorization({
            description: unicode"Return 1,50 € to its owner",
            actions: joined(
                one(0x1000000000000000000000000000000000000001, hex"a9059cbb0102", 0),
                one(0x1000000000000000000000000000000000000002, "", 7)
            ),
            nonce: nonceOf(1_800_001_800, 0x0190b2c3d4e57f60a1b2c3d4e5f60718),
            signatory_declaration_hash: hashOf(declaration()),
            chain_id: 31_337,
            accept_blame: true
        });
        assertEq(authorization.nonce, vm.parseJsonUint(vectors, ".authorization.nonce"));
        assertEq(digestOf(authorization), vm.parseJsonBytes32(vectors, ".authorizationHash"));
    }

    function test_literalsAreTheHashesOfTheTypes() public pure {
        string memory call = "Call(address target,bytes data,uint256 value)";
        string memory fee_ = "Fee(address receiver,uint256 cap)";
        string memory leg =
            "Leg(uint256 chainId,address inputToken,uint256 maxInput,Fee[] fees,address outputToken,uint256 minOutput,Call[] customCalls,address bridgeAdapter,uint256 minBridged)";
        string memory declared =
            "Declaration(address factory,bytes16 paymentId,address owner,address executor,address destination,uint256 expiry,Leg[] legs)";
        assertEq(DeclarationHash.CALL_TYPEHASH, keccak256(bytes(call)));
        assertEq(DeclarationHash.FEE_TYPEHASH, keccak256(bytes(fee_)));
        assertEq(DeclarationHash.LEG_TYPEHASH, keccak256(abi.encodePacked(leg, call, fee_)));
        assertEq(DeclarationHash.DECLARATION_TYPEHASH, keccak256(abi.encodePacked(declared, call, fee_, leg)));
        bytes32 domain = keccak256("EIP712Domain(string name,string version)");
        assertEq(
            AuthorizationHash.DOMAIN_SEPARATOR,
            keccak256(abi.encode(domain, keccak256("OneTimeWallet"), keccak256("1")))
        );
    }

    function testFuzz_declarationsAreHashedAsEip712Says(uint256 seed) public view {
        Declaration memory any = declaration();
        any.paymentId = bytes16(keccak256(abi.encode(seed)));
        any.legs = new Leg[](seed % 4);
        for (uint256 i = 0; i < any.legs.length; i++) {
            any.legs[i].minOutput = seed / (i + 1);
            any.legs[i].minBridged = seed;
            any.legs[i].fees = new Fee[]((seed >> 8) % 4);
            any.legs[i].customCalls = new Call[]((seed >> 16) % 4);
            for (uint256 j = 0; j < any.legs[i].fees.length; j++) {
                any.legs[i].fees[j] = Fee(address(uint160(seed >> j)), seed >> i);
            }
            for (uint256 j = 0; j < any.legs[i].customCalls.length; j++) {
                bytes memory data = abi.encodePacked(seed, new bytes(seed % 70));
                any.legs[i].customCalls[j] = Call(address(uint160(seed >> j)), data, seed);
            }
        }
        assertEq(this.hashCalldata(any), hashOf(any));
    }

    function test_orderIdAndRefundText() public {
        address at = vm.parseJsonAddress(vectors, ".escrow.escrow");
        deployCodeTo("IntentEscrow.sol", abi.encode(1, 2, address(0), new EscrowedToken[](0)), at);
        RefundInstruction memory instruction = RefundInstruction({
            recipient: 0x1000000000000000000000000000000000000026,
            feeReceiver: 0x1000000000000000000000000000000000000027,
            fee: 500_000,
            validUntil: 1_800_003_600
        });
        assertEq(IntentEscrow(at).orderId(order()), vm.parseJsonBytes32(vectors, ".escrow.orderId"));
        string memory text = IntentEscrow(at).refundText(order(), instruction);
        assertEq(text, vm.parseJsonString(vectors, ".escrow.refundText"));
    }

    function test_attestation() public view {
        bytes32 id = vm.parseJsonBytes32(vectors, ".escrow.orderId");
        address filler = vm.parseJsonAddress(vectors, ".escrow.filler");
        bytes32 digest = AttestationHash.digest(id, Outcome.Filled, filler, order().oracle);
        assertEq(digest, vm.parseJsonBytes32(vectors, ".escrow.attestationHash"));
    }

    function order() private pure returns (Order memory) {
        return Order({
            wallet: 0x1000000000000000000000000000000000000022,
            owner: 0x1000000000000000000000000000000000000023,
            originChainId: 31_337,
            inputToken: 0x1000000000000000000000000000000000000024,
            inputAmount: 100_000_000,
            destinationChainId: 31_338,
            outputToken: 0x1000000000000000000000000000000000000025,
            recipient: 0x1000000000000000000000000000000000000022,
            minimum: 99_500_000,
            nonce: 7,
            fillDeadline: 1_800_000_120,
            expires: 1_800_001_920,
            oracle: 0x1000000000000000000000000000000000000021
        });
    }

    function hashCalldata(Declaration calldata value) external pure returns (bytes32) {
        return DeclarationHash.hash(value);
    }

    function declaration() private pure returns (Declaration memory value) {
        value.factory = FACTORY;
        value.paymentId = 0x0190b2c3d4e57f60a1b2c3d4e5f60718;
        value.owner = 0x1000000000000000000000000000000000000003;
        value.executor = 0x1000000000000000000000000000000000000004;
        value.destination = 0x1000000000000000000000000000000000000005;
        value.expiry = 1_800_086_400;
        value.legs = new Leg[](2);
        value.legs[0].chainId = 31_337;
        value.legs[0].inputToken = 0x1000000000000000000000000000000000000006;
        value.legs[0].maxInput = 250_000_000;
        value.legs[0].fees = new Fee[](2);
        value.legs[0].fees[0] = Fee(0x1000000000000000000000000000000000000007, 1_000_000);
        value.legs[0].fees[1] = Fee(0x1000000000000000000000000000000000000008, 2_500_000);
        value.legs[0].outputToken = 0x1000000000000000000000000000000000000009;
        value.legs[0].minOutput = 246_000_000;
        value.legs[0].bridgeAdapter = 0x100000000000000000000000000000000000000A;
        value.legs[0].minBridged = 245_900_000;
        value.legs[1].chainId = 31_338;
        value.legs[1].inputToken = 0x100000000000000000000000000000000000000b;
        value.legs[1].maxInput = type(uint256).max;
        value.legs[1].minOutput = 80_000_000_000_000_000;
        value.legs[1].customCalls = new Call[](1);
        value.legs[1].customCalls[0] =
            Call(0x100000000000000000000000000000000000000c, hex"d0e30db0", 80_000_000_000_000_000);
    }
}
