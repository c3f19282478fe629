// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {OneTimeWalletFactory} from "../contracts/OneTimeWalletFactory.sol";
import {DeclarationHash} from "../contracts/libraries/DeclarationHash.sol";
import {Call, Declaration, Fee, Leg} from "../contracts/types/Declaration.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {Fixture} from "./support/Fixture.sol";

/// @notice Fixed values that the TypeScript face has to compute too: its tests read the same file.
contract VectorsTest is Fixture {
    address internal constant FACTORY = 0xFac7000000000000000000000000000000000001;
    string internal vectors;

    function setUp() public override {
        super.setUp();
        vectors = vm.readFile("test/vectors.json");
        vm.setNonce(FACTORY, 1);
        deployCodeTo("OneTimeWalletFactory.sol", abi.encode(converter), FACTORY);
    }

    function test_declarationHash() public view {
        assertEq(hashOf(declaration()), vm.parseJsonBytes32(vectors, ".declarationHash"));
    }

    function test_walletAddress() public {
        bytes32 hash = hashOf(declaration());
        address expected = vm.parseJsonAddress(vectors, ".walletAddress");
        assertEq(OneTimeWalletFactory(FACTORY).predict(hash), expected);
        assertEq(OneTimeWalletFactory(FACTORY).deploy(hash), expected);
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

    function test_typeHashes() public pure {
        assertEq(
            DeclarationHash.DECLARATION_TYPEHASH,
            keccak256(
                "Declaration(address factory,bytes16 paymentId,address owner,address executor,address destination,uint256 expiry,Leg[] legs)"
                "Call(address target,bytes data,uint256 value)" "Fee(address receiver,uint256 cap)"
                "Leg(uint256 chainId,address inputToken,uint256 maxInput,Fee[] fees,address outputToken,uint256 minOutput,Call[] customCalls,address bridgeAdapter,uint256 minBridged)"
            )
        );
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
